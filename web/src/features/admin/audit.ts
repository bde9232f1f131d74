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

const MACHINES: Record<string, string> = { reconciliation: "Comparison of the books", mpesa: "M-Pesa" };

/** Who did it. */
export const nameOfActor = ({ by, byName }: AuditItem) => byName ?? MACHINES[by] ?? by;

/** What it changed: `pending → rejected, KSh 60`. */
export const changeOf = ({ before, after, approvedByName }: AuditItem) => {
  const change = [before, after].filter(Boolean).join(" → ");
  return approvedByName ? `${change} (approved by ${approvedByName})` : change;
};
