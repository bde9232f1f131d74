import { Link, useParams } from "react-router";
import { StopMails } from "../../features/accounts/StopMails";
import { msg } from "../../lib/i18n";
import { CardLayout } from "../layouts/CardLayout";

/** Where the link at the end of a mail leads that was asked for; its token is in the address. No log-in is needed. */
export function UnsubscribePage() {
  const { token = "" } = useParams();
  return (
    <CardLayout title={msg("Stop these mails")} lead={msg("Mails about prizes, refunds, withdrawals, corrections and security still come.")}>
      <StopMails token={token} />
      <Link className="link-row" to="/notifications">
        {msg("All my notifications")}
      </Link>
    </CardLayout>
  );
}
