import { Button } from "@aws-amplify/ui-react";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { Menu } from "../../components/Menu";
import { ownLine, withOwnEntry } from "../../features/entries/standing";
import { EntryBefore } from "../../features/entries/EntryBefore";
import { useEntryBefore, useStanding } from "../../features/entries/use-standing";
import { DeadlineCard } from "../../features/gameweeks/DeadlineCard";
import { useGameweek } from "../../features/gameweeks/use-gameweek";
import { PromptList } from "../../features/payments/PromptList";
import { LinkTeam } from "../../features/teams/LinkTeam";
import { useSession } from "../../lib/session";
import { AccountDialogs } from "../AccountDialogs";
import { Checkout } from "../Checkout";
import { Greetings } from "../Greetings";
import { GuestInvitation } from "../GuestInvitation";
import { Hero } from "../Hero";
import { LogInFirst } from "../LogInFirst";
import { Rules } from "../Rules";
import { menuOf } from "../menus";
import { ProfileButton, Shell } from "../layouts/Shell";
import { useDialogs } from "../use-dialogs";
import styles from "./PaymentPage.module.css";
import { msg, str } from "../../lib/i18n";

/** The main page; with `checkout`, its wallet dialog is open. */
export function PaymentPage({ checkout = false }: { checkout?: boolean }) {
  const session = useSession();
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const gameweek = useGameweek();
  const standing = useStanding(gameweek);
  const before = useEntryBefore(gameweek.status);
  const greeting = useRef<HTMLHeadingElement>(null);

  if (checkout && !session) return <LogInFirst />;

  return (
    <Shell
      title={msg("Play")}
      home="/payment"
      actions={
        <>
          {session && <ProfileButton label={msg("Profile")} onClick={() => dialogs.open("profile")} />}
          <Menu items={menuOf(session)} />
        </>
      }
    >
      {session && <PromptList status={gameweek.status} />}
      {session && <Greetings quiet={checkout || dialogs.shown !== null} onWithdraw={() => dialogs.open("withdraw")} />}
      <Hero
        onJoin={() => greeting.current?.scrollIntoView({ behavior: "smooth" })}
        onNews={() => void navigate("/gameweek")}
      />
      <DeadlineCard gameweek={gameweek} {...(session && { own: ownLine(standing, gameweek.open) })} />
      <h2 ref={greeting} className={styles.greeting}>{msg(str`Hello, ${session?.username || msg("Guest")}`)}</h2>
      <div className={styles.columns}>
        <div className={styles.column}>
          {session ? (
            <>
              <LinkTeam />
              <Checkout gameweek={gameweek} offers={withOwnEntry(gameweek.status?.amounts, standing)} standing={standing} dialogs={dialogs} selecting={checkout} />
              <Button isFullWidth onClick={() => void navigate("amount" in standing ? `/leagues?amount=${standing.amount}` : "/leagues")}>{msg("View Leagues")}</Button>
              {before && <EntryBefore entry={before} current={gameweek.status} />}
            </>
          ) : (
            <GuestInvitation gameweek={gameweek} />
          )}
        </div>
        <Rules deducted={gameweek.status?.deductTransferPoints ?? true} open={gameweek.open} feePercent={gameweek.status?.feePercent} />
      </div>
      {session && <AccountDialogs session={session} dialogs={dialogs} />}
    </Shell>
  );
}
