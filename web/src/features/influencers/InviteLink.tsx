import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { settingsQuery, userQuery } from "../../api/queries";
import { msg } from "../../lib/i18n";

/** The way to a player's own link, where the operator lets players invite; not of who has stopped playing. */
export function InviteLink({ onGo }: { onGo?: () => void }) {
  const { data: settings } = useQuery(settingsQuery);
  const { data: user } = useQuery(userQuery);
  if (!settings?.promotions || user?.stopped) return null;
  return (
    <Link className="link-row" to="/invite" {...(onGo && { onClick: onGo })}>
      {msg("Invite friends")}
    </Link>
  );
}
