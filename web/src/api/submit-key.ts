/**
 * The Idempotency-Key of a submit. One is made per submit; it is used again only to send that same
 * submit soon after no answer came, or while it is under way, so that a lost reply never pays twice. Who asks for the same
 * an hour later has seen what came of the first, and wants another one.
 */
import { randomId } from "../lib/random-id";
import { Refusal } from "./refusal";

const SOON_MS = 10 * 60_000;

export class SubmitKey {
  #unanswered: { body: string; key: string; at: number } | null = null;

  /** Runs `send` with the key for this body, and keeps the key only where no answer came. */
  async submit<T>(body: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const text = JSON.stringify(body);
    const before = this.#unanswered;
    const again = before?.body === text && Date.now() - before.at < SOON_MS;
    const key = again ? before.key : randomId();
    this.#unanswered = { body: text, key, at: Date.now() };
    try {
      const answer = await send(key);
      this.#unanswered = null;
      return answer;
    } catch (error) {
      const final = error instanceof Refusal && isFinal(error);
      this.#unanswered = final ? null : { body: text, key, at: Date.now() };
      throw error;
    }
  }
}

/**
 * A 5xx may have been the reply of a gateway to work that was done: as good as none. A 409 that says when
 * to come again is about this very submit, which is still under way.
 */
const isFinal = ({ status, comesAgain }: Refusal) => status < 500 && !(status === 409 && comesAgain);
