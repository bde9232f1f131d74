import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import type { Result } from "../../api/refusal";
import { tablePageOf } from "./table-pages";
import type { Wanted } from "./use-table";

export type AuditItem = Schemas["AuditItem"];
export const auditId = (item: AuditItem) => item._id;

/** The acts of a month (`2026-11`, UTC), newest first; without one, of the current month. */
export const auditQuery = (month: string | undefined) =>
  listQuery<AuditItem>(["audit", month ?? "now"], (query, signal) => {
    const call = api.GET("/api/admin/audit", { params: { query: { ...query, ...(month && { month }) } }, signal });
    // The same call answers a table where one is asked for.
    return call as Promise<Result<AuditItem[]>>;
  });

/** The month's acts as a table. */
export const auditTable = (month: string): Wanted => ({
  name: `audit-${month}`,
  load: (cursor, signal) =>
    tablePageOf(
      api.GET("/api/admin/audit", {
        params: { query: { month, ...(cursor && { cursor }) } },
        headers: { accept: "text/csv" },
        parseAs: "text",
        signal,
      }),
    ),
});

const WORDS: Record<string, string> = {
  "confirm-manual-payment": "Confirmed a typed code",
  "confirm-totp": "Turned the code at log-in on",
  "correct-payout": "M-Pesa's word on a payout was booked",
  "correct-wallet": "Corrected a wallet",
  "create-influencer": "Made an influencer's link",
  "decide-approval": "Refused a proposed act",
  "decide-league": "Decided a waiting league",
  "decide-set-aside": "Closed what was set aside",
  "grant-admin": "Made somebody an admin",
  "pay-withdrawal": "Paid a withdrawal by M-Pesa",
  "process-winners": "Ended a gameweek",
  "write-to-case": "Answered a case",
  "void-gameweek": "Called a gameweek off",
  "reject-manual-payment": "Rejected a typed code",
  "release-number": "Released a player's number",
  "release-prizes": "Released a player's prizes",
  "revoke-admin": "Took the admin's role away",
  "remove-totp": "Turned the code at log-in off",
  "renew-recovery-codes": "Made new recovery codes",
  "reverse-receipt": "M-Pesa took a payment back",
  "set-switches": "Turned a switch",
  "step-up": "Gave a code to move money",
  "start-totp": "Began to set up the code at log-in",
  "toggle-deduction": "Switched the transfer deduction",
  "update-player": "Changed a player's account",
  "update-withdrawal": "Closed a withdrawal",
};

/** What was done; something newer than this page by the name it has. */
export const nameOfAct = (what: string) => WORDS[what] ?? what;

const PROPOSED = "proposed: ";
const WAITS = ". It waits for a second admin";

/** What became of an act that was not done as its name says, by what the record says that came of it. */
const NOT_DONE: Record<string, string> = {
  "pending: it was not sent": "A payout was not sent",
  "looked at again": "Had a waiting league read again",
};

/** What a record tells first: what was done, or only proposed. */
export function headlineOf({ what, after }: AuditItem): string {
  if (after?.startsWith(PROPOSED)) return `Proposed: ${after.slice(PROPOSED.length).replace(WAITS, "")}`;
  return NOT_DONE[after ?? ""] ?? nameOfAct(what);
}

const MACHINES: Record<string, string> = { reconciliation: "Comparison of the books", mpesa: "M-Pesa" };

/** Who did it. */
export const nameOfActor = ({ by, byName }: AuditItem) => byName ?? MACHINES[by] ?? by;

/** What it changed: `pending → rejected, KSh 60`; null of what was only proposed. */
export const changeOf = ({ before, after, approvedByName }: AuditItem) => {
  if (after?.startsWith(PROPOSED)) return null;
  const change = [before, after].filter(Boolean).join(" → ");
  return approvedByName ? `${change} (approved by ${approvedByName})` : change;
};
