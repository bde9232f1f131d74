import { api, type Schemas } from "../../../api/client";
import { answerOf } from "../../../api/refusal";
import { randomId } from "../../../lib/random-id";
import { ksh, parseAmount } from "../../../lib/money";
import { parsed, refused, type Parsed } from "../../../lib/parsed";
import { eastAfricaTime } from "../../../lib/time";
import { unlessProposed } from "../../../panel/unless-proposed";

/** Nobody types it. */
const SEPARATOR = "\u0000";

/** The most that one correction moves, either way. */
const MOST = 250_000;

/** What is given (`400`) or taken (`-400`), in whole KES. */
export function readCorrection(typed: string): Parsed<number> {
  const [, sign = "", digits = ""] = /^([+−-]?) ?(.*)$/.exec(typed.trim()) ?? [];
  const amount = (parseAmount(digits) ?? 0) * (sign === "" || sign === "+" ? 1 : -1);
  return amount === 0 || Math.abs(amount) > MOST
    ? refused("Enter whole KSh, more or less than 0, at most 250,000 either way.")
    : parsed(amount);
}

/** What came of a correction. One that was booked before was perhaps for another reason than the one that is given now. */
function saidOf({ wallet, writtenOff, repeated, transaction }: Schemas["CorrectedWallet"]): string {
  if (repeated) {
    const because = transaction.note ? ` with the reason “${transaction.note}”` : "";
    const booked = `This was booked on ${eastAfricaTime(new Date(transaction.at))}${because}`;
    return `${booked}; nothing moved now. The wallet holds ${ksh(wallet)}.`;
  }
  const lost = writtenOff > 0 ? ` ${ksh(writtenOff)} was not there and is written off.` : "";
  return `The wallet is corrected: it holds ${ksh(wallet)}.${lost}`;
}

/** Booking corrections of a player's wallet; what is answered is what to say, or that another admin has to approve it. */
export function useCorrection(player: string) {
  // Kept until it is answered or the admin logs out, also when the page is loaded anew: a correction whose answer was lost is
  // sent again as the same one, and is not proposed twice, though the reason is worded otherwise by then.
  const key = `correction:${player}`;
  return async (amount: number, reason: string): Promise<string> => {
    const of = String(amount);
    const [last = "", id = ""] = sessionStorage.getItem(key)?.split(SEPARATOR) ?? [];
    const correctionId = last === of ? id : randomId();
    sessionStorage.setItem(key, of + SEPARATOR + correctionId);
    const call = api.POST("/api/admin/players/{id}/corrections", {
      params: { path: { id: player } },
      body: { correctionId, amount, reason },
    });
    const said = unlessProposed(await answerOf(call), saidOf);
    sessionStorage.removeItem(key);
    return said;
  };
}
