import { Button } from "@aws-amplify/ui-react";
import { Link } from "react-router";
import { Card } from "../../components/Card";
import { ListRows } from "../../components/Rows";
import { useSession } from "../../lib/session";
import { eastAfricaTime } from "../../lib/time";
import { ActNotice } from "../../panel/ActNotice";
import styles from "../../panel/Panel.module.css";
import { ReasonDialog } from "../../panel/ReasonDialog";
import { RefreshButton } from "../../panel/RefreshButton";
import { Stale } from "../../panel/Stale";
import { problemOf } from "../../panel/use-act";
import { useAsking } from "../../panel/use-asking";
import { actOf, canApprove, canRefuse, proposalId, stateOf, useApprovals, type Proposal } from "./approvals";

type Asking = { decision: "approve" | "refuse"; proposal: Proposal };

/** What one admin wants done and another has to approve. */
export function ApprovalList() {
  const { list, outcome, busy, forget, decide } = useApprovals();
  const { asking, ask, close, closeAfter } = useAsking<Asking>(forget);
  const approves = asking?.decision === "approve";

  return (
    <Card title="Approvals" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      <ActNotice outcome={asking ? null : outcome} />
      {list.stale && <Stale />}
      <ListRows
        list={list}
        unread="What waits could not be read just now."
        empty="Nothing waits for a second admin."
        id={proposalId}
      >
        {(proposal) => <Row proposal={proposal} busy={busy} onAsk={(decision) => ask({ decision, proposal })} />}
      </ListRows>
      <ReasonDialog
        open={asking !== null}
        title={approves ? "Approve the act" : "Refuse the act"}
        text={
          approves
            ? `${asking ? askedOf(asking.proposal) : ""}. It is done at once, and not taken back.`
            : whatRefusedMeans(asking?.proposal)
        }
        action={approves ? "Approve" : "Refuse"}
        required={!approves}
        missing="Give the reason: it is kept in the audit log."
        busy={busy}
        problem={problemOf(outcome)}
        onClose={close}
        onGiven={(reason) => asking && void closeAfter(decide(asking.proposal, asking.decision, reason))}
      />
    </Card>
  );
}

const whatRefusedMeans = (proposal: Proposal | undefined) =>
  proposal?.sentByHand
    ? "It was said to be sent by hand: refused, it can be paid again. Look into M-Pesa's portal first."
    : "Nothing is done. It can be proposed again.";

/** What is approved, and for whom. */
const askedOf = (proposal: Proposal) =>
  [actOf(proposal), proposal.username, proposal.number].filter(Boolean).join(", ");

type RowProps = { proposal: Proposal; busy: boolean; onAsk: (decision: "approve" | "refuse") => void };

function Row({ proposal, busy, onAsk }: RowProps) {
  const session = useSession();
  const at = (time: string) => eastAfricaTime(new Date(time));
  return (
    <>
      <div id={`proposal-${proposal._id}`} className={styles.what}>
        <p className={styles.main}>{actOf(proposal)}</p>
        {proposal.userId && (
          <p>
            <Link to={`/panel/players/${proposal.userId}`}>{proposal.username}</Link>
            {proposal.number && ` · ${proposal.number}`}
          </p>
        )}
        <p className="quiet small">{proposal.on}</p>
        <p className="quiet small">
          Proposed by {proposal.proposedByName}, {at(proposal.proposedAt)}
        </p>
        {proposal.reason && <p className="small">{proposal.reason}</p>}
        <p className="small">{proposal.why}</p>
        <p className={proposal.state === "waiting" ? "small" : styles.warning}>
          {stateOf(proposal)}
          {proposal.state === "waiting" && ` until ${at(proposal.expiresAt)}`}
          {proposal.decisionReason && `: ${proposal.decisionReason}`}
        </p>
      </div>
      {canRefuse(proposal, session?.userId) && (
        <div className={styles.acts}>
          {canApprove(proposal, session?.userId) && (
            <Button isDisabled={busy} onClick={() => onAsk("approve")} aria-describedby={`proposal-${proposal._id}`}>
              Approve
            </Button>
          )}
          <Button isDisabled={busy} onClick={() => onAsk("refuse")} aria-describedby={`proposal-${proposal._id}`}>
            Refuse
          </Button>
        </div>
      )}
    </>
  );
}
