import { Button } from "@aws-amplify/ui-react";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { Menu } from "../../components/Menu";
import { useOwnEntry } from "../../features/entries/use-own-entry";
import { DeadlineCard } from "../../features/gameweeks/DeadlineCard";
import { useGameweek } from "../../features/gameweeks/use-gameweek";
import { RecentPrompts } from "../../features/payments/RecentPrompts";
import { LinkTeam } from "../../features/teams/LinkTeam";
import { useSession } from "../../lib/session";
import { AccountDialogs } from "../AccountDialogs";
import { Checkout } from "../Checkout";
import { GuestInvitation } from "../GuestInvitation";
import { Hero } from "../Hero";
import { LogInFirst } from "../LogInFirst";
import { Rules } from "../Rules";
import { GUESTS_MENU, PLAYERS_MENU } from "../menus";
import { ProfileButton, Shell } from "../layouts/Shell";
import { useDialogs } from "../use-dialogs";
import styles from "./PaymentPage.module.css";

/** The main page; with `checkout`, its wallet dialog is open. */
export function PaymentPage({ checkout = false }: { checkout?: boolean }) {
  const session = useSession();
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const gameweek = useGameweek();
  const entry = useOwnEntry(gameweek.status);
  const greeting = useRef<HTMLHeadingElement>(null);

  if (checkout && !session) return <LogInFirst />;

  return (
    <Shell
      title="Play"
      home="/payment"
      actions={
        <>
          {session && <ProfileButton label="Profile" onClick={() => dialogs.open("profile")} />}
          <Menu items={session ? PLAYERS_MENU : GUESTS_MENU} />
        </>
      }
    >
      {session && <RecentPrompts />}
      <Hero
        onJoin={() => greeting.current?.scrollIntoView({ behavior: "smooth" })}
        onNews={() => void navigate("/gameweek")}
      />
      <DeadlineCard gameweek={gameweek} {...(session && { own: { paid: entry === null ? null : entry?.amount } })} />
      <h2 ref={greeting} className={styles.greeting}>
        Hello, {session?.username || "Guest"}
      </h2>
      <div className={styles.columns}>
        <div className={styles.column}>
          {session ? (
            <>
              <LinkTeam />
              <Checkout gameweek={gameweek} dialogs={dialogs} selecting={checkout} />
              <Button isFullWidth onClick={() => void navigate(entry ? `/leagues?amount=${entry.amount}` : "/leagues")}>
                View Leagues
              </Button>
            </>
          ) : (
            <GuestInvitation />
          )}
        </div>
        <Rules />
      </div>
      {session && <AccountDialogs session={session} dialogs={dialogs} />}
    </Shell>
  );
}
