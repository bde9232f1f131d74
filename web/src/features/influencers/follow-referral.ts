import { api } from "../../api/client";

/** Longer than this nobody is kept waiting for a count. */
const ENOUGH_MS = 3_000;

/** Has the visit of a referral link counted. Never rejects: a failure is ignored (spec §8). */
export async function followReferral(code: string): Promise<void> {
  const params = { path: { code }, query: { noRedirect: "1" } };
  const counted = api.GET("/api/influencer/ref/{code}", { params }).catch(() => undefined);
  await Promise.race([counted, new Promise((enough) => setTimeout(enough, ENOUGH_MS))]);
}
