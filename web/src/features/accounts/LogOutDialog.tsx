import { Button } from "@aws-amplify/ui-react";
import { Dialog } from "../../components/Dialog";
import { useSubmit } from "../../lib/use-submit";
import { logOut } from "./log-out";
import { msg } from "../../lib/i18n";

type Props = { open: boolean; onClose: () => void; onLoggedOut: () => void };

export function LogOutDialog({ open, onClose, onLoggedOut }: Props) {
  const { busy, submit } = useSubmit();
  const confirm = () =>
    void submit(async () => {
      await logOut();
      onLoggedOut();
    });

  return (
    <Dialog open={open} title={msg("Log out")} onClose={onClose} busy={busy}>
      <p>{msg("Are you sure you want to log out?")}</p>
      <div className="actions">
        <Button onClick={onClose} isDisabled={busy}>{msg("Cancel")}</Button>
        <Button variation="primary" onClick={confirm} isLoading={busy} loadingText={msg("Logging out…")}>{msg("Yes, log out")}</Button>
      </div>
    </Dialog>
  );
}
