import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { readFplId } from "../../lib/fpl-id";
import { errorOf } from "../../lib/parsed";
import type { PlayerItem } from "./players";

type Props = {
  open: boolean;
  player: PlayerItem;
  busy: boolean;
  /** Why the last try was not done: what was typed stays. */
  problem: string | undefined;
  onClose: () => void;
  onGiven: (fplId: string, reason: string) => void;
};

/** Asks for the team that a player is to play with, and why. */
export const ChangeTeamDialog = ({ open, onClose, ...form }: Props) => (
  <Dialog open={open} title="Change the team" onClose={onClose} busy={form.busy}>
    <TeamForm {...form} />
  </Dialog>
);

function TeamForm({ player: { username, fplId: now }, busy, problem, onGiven }: Omit<Props, "open" | "onClose">) {
  const [fplId, setFplId] = useState("");
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const read = readFplId(fplId);
  const missing = reason.trim() === "";

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok && !missing) onGiven(read.value, reason.trim());
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <p>
        {username} {now ? `plays with team ${now}` : "has no team"}. An entry into a gameweek that is still open goes with the new team;
        what was entered before keeps the one that it had.
      </p>
      <Field
        label="FPL ID"
        value={fplId}
        onChange={setFplId}
        error={tried ? errorOf(read) : undefined}
        input={{ inputMode: "numeric", autoComplete: "off", name: "fplId" }}
      />
      <Field
        label="Reason"
        value={reason}
        onChange={setReason}
        error={tried && missing ? "Give the reason: it is kept in the audit log." : undefined}
        input={{ autoComplete: "off", maxLength: 200, name: "reason" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isFullWidth isLoading={busy} loadingText="Sending…">
        Change team
      </Button>
    </form>
  );
}
