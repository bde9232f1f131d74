import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { settingsQuery } from "../../api/queries";
import { msg } from "../../lib/i18n";

/** The way to a player's own link, where the operator lets players invite. */
export function InviteLink({ onGo }: { onGo?: () => void }) {
  const { data: settings } = useQuery(settingsQuery);
  if (!settings?.promotions) return null;
  return (
    <Link className="link-row" to="/invite" {...(onGo && { onClick: onGo })}>
      {msg("Invite friends")}
    </Link>
  );
}
