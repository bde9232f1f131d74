import { clockFrom } from "../lib/clock";
import { api } from "./client";
import { answerOf } from "./refusal";

/** The current gameweek, with the product's clock as the answer tells it. */
export async function readGameweekStatus(signal: AbortSignal) {
  const call = api.GET("/api/gameweek/status", { signal });
  const status = await answerOf(call);
  // The edge says for how long it has kept the answer.
  const age = Number((await call).response.headers.get("age"));
  return { ...status, clock: clockFrom(status.now, age) };
}
