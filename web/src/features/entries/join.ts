/** The call that makes an entry, from the wallet or from a paid prompt. */
import { api } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { currentSession, storeJoin } from "../../lib/session";
import { msg } from "../../lib/i18n";

export type Join = { entryAmount: number; gameweek: number; checkoutId?: string };

/** Joins, and stores what the specification has stored after a 201 (spec §4). Throws a Refusal otherwise. */
export async function joinLeague(join: Join): Promise<void> {
  await answerOf(api.POST("/api/join-league", { body: { fplId: currentSession()?.fplId ?? "", ...join } }));
  storeJoin(join.entryAmount, join.gameweek);
}

export const unknownGameweek = () => msg("Could not determine current gameweek.");
