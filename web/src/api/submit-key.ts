/**
 * The Idempotency-Key of a submit. One is made per submit; it is used again only to send that same submit again while it has
 * no answer, so that a lost reply never pays twice. Who asks for the same long after has seen what came of the first, and
 * wants another one.
 */
import { randomId } from "../lib/random-id";
import { isCertain, Refusal } from "./refusal";

const SOON_MS = 10 * 60_000;
/** An hour less than the server keeps a key. */
export const DAY_MS = 23 * 60 * 60_000;
/** In the local storage: what has no answer yet, by call and body. It goes with its player (`lib/session.ts`). */
const KEPT = "unanswered";

/** `at`: when it was first sent, by this device's clock. */
type Sent = { readonly key: string; readonly at: number };

const ageOf = ({ at }: Sent) => Date.now() - at;
const textOf = (call: string | undefined, body: unknown) => `${call ?? ""} ${JSON.stringify(body)}`;

/** A no to this very request. Any other no to a repeated one, as too many calls or no session, does not tell what came of it. */
const isDecisive = (error: unknown) => error instanceof Refusal && (error.status === 400 || error.status === 409);

function kept(): Record<string, Sent> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Record<string, Sent>;
  } catch {
    return {};
  }
}

/** Keeps it on this device, or does not any longer. Where there is no room, only this page knows it. */
function keep(text: string, sent?: Sent) {
  const young = Object.entries(kept()).filter(([, one]) => ageOf(one) < DAY_MS);
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...Object.fromEntries(young), [text]: sent }));
  } catch {
    // It is full.
  }
}

export class SubmitKey {
  readonly #call: string | undefined;
  readonly #againMs: number;
  /** What was sent from here and has no answer yet. */
  readonly #here = new Map<string, Sent>();

  /** `call`: what it sends is known to the player's other pages and visits too. `againMs`: for how long a key is used again. */
  constructor(call?: string, againMs = SOON_MS) {
    this.#call = call;
    this.#againMs = againMs;
  }

  /** This body as it was sent before, where it has no answer yet and is sent again under its key. */
  unanswered(body: unknown): Sent | undefined {
    const text = textOf(this.#call, body);
    const sent = this.#here.get(text) ?? kept()[text];
    return sent && ageOf(sent) < this.#againMs ? sent : undefined;
  }

  /** Whether it will go on being sent under its key, from any page, for half of `againMs` at least: so long it can be promised. */
  promises(body: unknown): boolean {
    const sent = kept()[textOf(this.#call, body)];
    return sent !== undefined && ageOf(sent) < this.#againMs / 2;
  }

  /** Runs `send` with the key for this body, and keeps the key only where no answer came. */
  async submit<T>(body: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const text = textOf(this.#call, body);
    const before = this.unanswered(body);
    const sent = before ?? { key: randomId(), at: Date.now() };
    this.#here.set(text, sent);
    if (this.#call) keep(text, sent);
    const forget = () => {
      this.#here.delete(text);
      if (this.#call) keep(text);
    };
    try {
      const answer = await send(sent.key);
      forget();
      return answer;
    } catch (error) {
      if (isCertain(error) && (!before || isDecisive(error))) forget();
      throw error;
    }
  }
}
