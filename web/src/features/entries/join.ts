/** The call that makes an entry, from the wallet or from a paid prompt. */
import { api } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { storeJoin } from "../../lib/session";
import { msg } from "../../lib/i18n";

/** `fplId`: the account's team, as it is read at the time: it may have been changed elsewhere. */
export type Join = { fplId: string; entryAmount: number; gameweek: number; checkoutId?: string };

/** Joins, and stores what the specification has stored after a 201 (spec §4). Throws a Refusal otherwise. */
export async function joinLeague(join: Join): Promise<void> {
  await answerOf(api.POST("/api/join-league", { body: join }));
  storeJoin(join.entryAmount, join.gameweek);
}

export const unknownGameweek = () => msg("Could not determine current gameweek.");
