import { Link } from "react-router";
import { useMayPromote } from "../../api/promotions";
import { msg } from "../../lib/i18n";

/** The way to a player's own link, where the operator lets players invite; not of who has stopped playing. */
export function InviteLink({ onGo }: { onGo?: () => void }) {
  if (!useMayPromote()) return null;
  return (
    <Link className="link-row" to="/invite" {...(onGo && { onClick: onGo })}>
      {msg("Invite friends")}
    </Link>
  );
}
