import { Menu } from "../../components/Menu";
import type { ReactNode } from "react";
import { useSession } from "../../lib/session";
import { AccountDialogs } from "../AccountDialogs";
import { LogInFirst } from "../LogInFirst";
import { menuOf } from "../menus";
import { ProfileButton, Shell } from "./Shell";
import { useDialogs } from "../use-dialogs";
import { msg } from "../../lib/i18n";

/** The layout of the pages about a player's own money: who is not logged in does that first, and comes back. */
export function PlayerLayout({ title, children }: { title: string; children: ReactNode }) {
  const session = useSession();
  const dialogs = useDialogs();
  if (!session) return <LogInFirst />;

  return (
    <Shell
      title={title}
      home="/payment"
      actions={
        <>
          <ProfileButton label={msg("Profile")} onClick={() => dialogs.open("profile")} />
          <Menu items={menuOf(session)} />
        </>
      }
    >
      <h1 className="page-title">{title}</h1>
      {children}
      <AccountDialogs session={session} dialogs={dialogs} />
    </Shell>
  );
}
