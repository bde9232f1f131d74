import type { Schemas } from "../api/client";
import { currentSession } from "../lib/session";
import { eastAfricaTime } from "../lib/time";

type Proposal = Schemas["ProposalItem"];

/** What came of an act: what it says, or that it waits for another admin now; this one may be that other. */
export function unlessProposed<T extends object>(answer: T, said: (done: Exclude<T, Proposal>) => string): string {
  if (!("proposedBy" in answer)) return said(answer as Exclude<T, Proposal>);
  const { proposedBy, proposedByName, expiresAt } = answer as unknown as Proposal;
  const until = eastAfricaTime(new Date(expiresAt));
  return proposedBy === currentSession()?.userId
    ? `Another admin has to approve this. It waits under Approvals until ${until}.`
    : `${proposedByName} has proposed this already: approve it under Approvals until ${until}.`;
}
