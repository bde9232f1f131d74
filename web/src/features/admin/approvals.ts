import { useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { listQuery, useList } from "../../api/list";
import { answerOf } from "../../api/refusal";
import { ksh } from "../../lib/money";
import { useAct } from "../../panel/use-act";
import { nameOfAct } from "./audit";

export type Proposal = Schemas["ProposalItem"];

/** On the first page all that wait, the one that expires next first; then what became of the others, newest first. */
export const approvalsQuery = listQuery<Proposal>(
  ["approvals"],
  (query, signal) => api.GET("/api/admin/approvals", { params: { query }, signal }),
  30_000,
);
export const proposalId = (proposal: Proposal) => proposal._id;

/**
 * What is asked for, with the way that the money goes: `Take KSh 400 out of the wallet`. Proposals of before have the act and
 * its sum only: `Paid a withdrawal by M-Pesa · KSh 15,000`.
 */
export const actOf = ({ inWords, what, amount }: Proposal) =>
  inWords || [nameOfAct(what), amount ? ksh(amount) : null].filter(Boolean).join(" · ");

/** What an approval has done; of a payout M-Pesa tells later what became of it. */
const approvedOf = (proposal: Proposal) =>
  proposal.what === "pay-withdrawal" ? "Approved: M-Pesa was asked to pay it." : `Approved, and done: ${actOf(proposal)}.`;

const STATES: Record<string, string> = { waiting: "Waits", expired: "Expired", approved: "Approved", refused: "Refused" };
export const stateOf = ({ state, decidedByName }: Proposal) =>
  decidedByName ? `${STATES[state] ?? state} by ${decidedByName}` : (STATES[state] ?? state);

/** Whether it can still be decided: an expired one is only cleared away. */
export const canApprove = ({ state, proposedBy, userId }: Proposal, ownId: string | undefined) =>
  state === "waiting" && proposedBy !== ownId && userId !== ownId;
export const canRefuse = ({ state, userId }: Proposal, ownId: string | undefined) =>
  (state === "waiting" || state === "expired") && userId !== ownId;

/** What waits for a second admin, and this admin's word on it. */
export function useApprovals() {
  const client = useQueryClient();
  const list = useList(approvalsQuery, proposalId);
  const { outcome, busy, act, forget } = useAct();

  const decide = async (proposal: Proposal, decision: "approve" | "refuse", reason: string) => {
    const done = await act(async () => {
      const body = { decision, ...(reason ? { reason } : {}) };
      await answerOf(api.POST("/api/admin/approvals/{id}", { params: { path: { id: proposal._id } }, body }));
      return decision === "approve" ? approvedOf(proposal) : `Refused: ${actOf(proposal)}. Nothing was done.`;
    }, "It could not be decided. Nothing has changed.");
    // What was approved may be shown anywhere.
    void client.invalidateQueries();
    return done;
  };

  return { list, outcome, busy, forget, decide };
}
