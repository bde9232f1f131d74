import type { Schemas } from "../api/client";

type Proposal = Schemas["ProposalItem"];

/** What came of an act: what it says, or that it waits for another admin now. */
export function unlessProposed<T extends object>(answer: T, said: (done: Exclude<T, Proposal>) => string): string {
  if (!("proposedBy" in answer)) return said(answer as Exclude<T, Proposal>);
  return "Another admin has to approve this. It waits under Approvals for three days.";
}
