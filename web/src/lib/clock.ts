/**
 * The product's clock, known only from its answers (`now` in gameweek status). The device's clock
 * is never asked: a phone that is an hour wrong still shows the right countdown. Between answers
 * time is counted by the page's own monotonic timer.
 */

export type ProductClock = { readonly serverMs: number; readonly receivedAt: number };

const monotonic = () => performance.now();

/** Reads `now` from an answer that has just arrived; on its way it was kept for `age` seconds. */
export const clockFrom = (now: string, age = 0): ProductClock => ({
  serverMs: Date.parse(now) + age * 1000,
  receivedAt: monotonic(),
});

/** The product's time, in milliseconds since the epoch. */
export const productNow = (clock: ProductClock): number =>
  clock.serverMs + (monotonic() - clock.receivedAt);
