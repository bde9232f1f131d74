/**
 * The Idempotency-Key of a submit. One is made per submit; it is used again only to send that same
 * submit soon after no answer came, or while it is under way, so that a lost reply never pays twice. Who asks for the same
 * an hour later has seen what came of the first, and wants another one.
 */
import { randomId } from "../lib/random-id";
import { isCertain } from "./refusal";

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
      this.#unanswered = isCertain(error) ? null : { body: text, key, at: Date.now() };
      throw error;
    }
  }
}
