/** The local stack's simulated world, over its JSON (`/sim/api`): phones, clock, official game, books. */
import { expect, type APIRequestContext } from "@playwright/test";

type Prompt = { checkoutRequestId: string; status: string; amount: number };
type Status = {
  isOpen: boolean;
  gameweek: number | null;
  deadline: string;
  now: string;
  amounts: { entryAmount: number; entries: number }[];
};

export class World {
  readonly #http: APIRequestContext;

  constructor(http: APIRequestContext) {
    this.#http = http;
  }

  async #send<T>(method: "GET" | "POST" | "PUT", path: string, data?: object): Promise<T> {
    const answer = await this.#http.fetch(path, { method, ...(data ? { data } : {}) });
    expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
    return (await answer.json().catch(() => null)) as T;
  }

  gameweek = () => this.#send<Status>("GET", "/api/gameweek/status");

  /** The product's time. */
  now = async () => new Date((await this.gameweek()).now);

  /** Enters the PIN on the prompt that this phone shows, as soon as it does. */
  async approve(phone: string, amount: number) {
    expect(await this.decide(phone, { outcome: "success" })).toBe(amount);
  }

  /** Decides the prompt that this phone shows, as soon as it does; its amount in KES. */
  async decide(phone: string, how: { outcome: string; callback?: string; amount?: number }) {
    let pending: Prompt | undefined;
    await expect(async () => {
      const prompts = await this.#send<Prompt[]>("GET", `/sim/api/prompts?phone=${phone}`);
      pending = prompts.find((prompt) => prompt.status === "pending");
      expect(pending).toBeDefined();
    }).toPass();
    await this.#send("POST", `/sim/api/prompts/${pending?.checkoutRequestId}`, how);
    return pending?.amount;
  }

  /** The newest link that was mailed to an address. */
  async mailedLink(email: string) {
    let link: string | undefined;
    await expect(async () => {
      const mails = await this.#send<{ links: string[] }[]>("GET", `/sim/api/outbox?to=${encodeURIComponent(email)}`);
      link = mails[0]?.links[0];
      expect(link).toBeDefined();
    }).toPass();
    return link ?? "";
  }

  /** That many further players, each in a league of this amount. */
  morePlayers = (count: number, entryAmount: number) => this.#send("POST", "/sim/api/players", { count, entryAmount });

  clockTo = (to: Date) => this.#send("POST", "/sim/api/clock", { to: to.toISOString() });

  points = (fplId: string, gameweek: number, points: number) =>
    this.#send("PUT", `/sim/api/fpl/entries/${fplId}`, {
      gameweeks: { [gameweek]: { points, pointsOnBench: 4, transfersCost: 0 } },
    });

  nameTeam = (fplId: string, name: string) => this.#send("PUT", `/sim/api/fpl/entries/${fplId}`, { name });

  /** The clock goes to where it begins, unless it is past that. */
  phase = (gameweek: number, phase: "live" | "checked") => this.#send("PUT", `/sim/api/fpl/gameweeks/${gameweek}`, { phase });

  advance = (seconds: number) => this.#send("POST", "/sim/api/clock", { advanceSeconds: seconds });

  /** What all accounts sum to, in KES: nothing, at any time. */
  async ledgerSum() {
    return (await this.#send<{ sum: number }>("GET", "/sim/api/ledger")).sum;
  }
}
