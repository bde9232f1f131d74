import { useDeferredValue, useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { Schemas } from "../../api/client";
import { Menu } from "../../components/Menu";
import { Notice } from "../../components/Notice";
import { AmountTabs } from "../../features/leagues/AmountTabs";
import { GameweekPicker } from "../../features/leagues/GameweekPicker";
import { LeagueList, LeagueListSkeleton } from "../../features/leagues/LeagueList";
import { useGameweeks } from "../../features/leagues/use-gameweeks";
import { EntryBefore } from "../../features/entries/EntryBefore";
import type { Entry } from "../../features/entries/entries";
import { hasJoined, isOfSeason, isOver, ownLine } from "../../features/entries/standing";
import { useEntryBefore, useStanding } from "../../features/entries/use-standing";
import { DeadlineCard, DeadlineCardSkeleton } from "../../features/gameweeks/DeadlineCard";
import { useGameweek, type Gameweek } from "../../features/gameweeks/use-gameweek";
import { amountOf, type Amount } from "../../lib/amounts";
import { isInPlay } from "../../lib/entry-outcome";
import { ksh } from "../../lib/money";
import { useSession } from "../../lib/session";
import { AccountDialogs } from "../AccountDialogs";
import { Greetings } from "../Greetings";
import { menuOf } from "../menus";
import { BarButton, ProfileButton, Shell } from "../layouts/Shell";
import { useDialogs } from "../use-dialogs";
import { msg, str } from "../../lib/i18n";

/** The leagues of a gameweek and amount; which ones is in the address, so that a page can lead to them. */
export function LeaguesPage() {
  const session = useSession();
  const dialogs = useDialogs();
  const current = useGameweek();
  const standing = useStanding(current);
  const [search, setSearch] = useSearchParams();
  const joined = useLocation().state as { joinedFor?: number; gameweek?: number; userId?: string } | null;
  const named = search.get("amount");
  const entered = "amount" in standing ? String(standing.amount) : null;
  const namedWeek = Number(search.get("gameweek"));
  // The history keeps it: of a former gameweek, and to somebody else, it says nothing.
  const isOfNow = joined?.gameweek === current.status?.gameweek && joined?.userId === session?.userId;
  const joinedFor = isOfNow ? joined?.joinedFor : undefined;
  // Who has not joined the next one comes for the league that is still played.
  const before = useEntryBefore(current.status);
  const [kept, setKept] = useState<Entry>();
  if (!kept && before && isInPlay(before) && isOfSeason(before, current.status)) setKept(before);
  // It stays when it is decided meanwhile.
  const played = !namedWeek && !joinedFor && entered === null ? kept : undefined;
  // Who has joined the next one is led to it, in a line that comes with the list: so it moves nothing that is there.
  const other = !namedWeek && before && isInPlay(before) && before.gameweek !== played?.gameweek ? before : undefined;
  const amount = amountOf(named ?? entered ?? played?.amount.toString() ?? (session && localStorage.getItem("entryAmount")));
  // Which entry the player has is about to be known: no other one's leagues are asked for meanwhile.
  const undecided = session !== null && (named === null || !(namedWeek || joinedFor)) && standing.is === "unknown" && !current.isError;
  const gameweeks = useGameweeks(current.status);
  // After the last one of a season there is none to play, and that one's leagues are looked at.
  const gameweek = namedWeek || (played?.number ?? current.status?.gameweek ?? gameweeks.data?.[0]?.number ?? null);
  const answered = (current.status !== undefined || current.isError) && (gameweeks.data !== undefined || gameweeks.failureCount > 0);
  // Once it is shown it stays, whatever is asked again.
  const [known, setKnown] = useState(answered);
  if (answered && !known) setKnown(true);
  // Drawn in slices: a phone goes on answering meanwhile.
  const drawn = useDeferredValue(known);
  const show = (change: Record<string, string>) =>
    setSearch((old) => ({ ...Object.fromEntries(old), ...change }), { replace: true });

  return (
    <Shell
      title={msg("Leagues")}
      home="/payment"
      actions={
        <>
          {session && (
            <>
              <ProfileButton label={msg("Profile")} onClick={() => dialogs.open("profile")} />
              <BarButton label={msg("Log out")} onClick={() => dialogs.open("logout")} />
            </>
          )}
          <Menu items={menuOf(session)} />
        </>
      }
    >
      <div>
        <h1 className="page-title">{msg(str`Leagues - ${amount} Shs`)}</h1>
        <p className="quiet">{msg("Click an opponent's username to see their team. It opens in a new tab.")}</p>
      </div>
      {joinedFor && !isOver(standing) && standing.is !== "playing" && <Notice tone="success">{msg(str`You are in: ${ksh(joinedFor)} is paid.`)}</Notice>}
      {session && <Greetings unasked quiet={dialogs.shown !== null} onWithdraw={() => dialogs.open("withdraw")} />}
      {/* All of it at once: nothing that is there is moved by what comes above it. */}
      {drawn ? (
        <>
          <DeadlineCard gameweek={current} {...(session && { own: ownLine(standing, current.open) })} />
          {gameweek && <GameweekPicker gameweeks={gameweeks.data ?? []} gameweek={gameweek} onChange={(chosen) => show({ gameweek: String(chosen), amount: String(amount) })} />}
          <AmountTabs amount={amount} onChange={(chosen) => show({ amount: String(chosen) })}>
            {gameweek && <LeaguesOf gameweek={gameweek} amount={amount} current={current} feePercent={feeOf(gameweek, current.status, gameweeks.data)} undecided={undecided} other={other} ownFplId={session?.fplId} ownAmount={hasJoined(standing) ? standing.amount : undefined} />}
          </AmountTabs>
        </>
      ) : (
        <>
          <DeadlineCardSkeleton own={session !== null} />
          <LeagueListSkeleton />
        </>
      )}
      {session && <AccountDialogs session={session} dialogs={dialogs} />}
    </Shell>
  );
}

type Weeks = readonly Schemas["GameweekSoFar"][] | undefined;

/** What the operator keeps in a gameweek, in percent, where it is known; nothing of one that was called off. */
function feeOf(gameweek: number, status: Gameweek["status"], weeks: Weeks): number | undefined {
  if (gameweek === status?.gameweek) return status.feePercent;
  return weeks?.find(({ number, calledOff }) => number === gameweek && !calledOff)?.feePercent;
}

type Shown = { gameweek: number; amount: Amount; current: Gameweek; feePercent: number | undefined; undecided: boolean; other: Entry | undefined; ownFplId: string | undefined; ownAmount: number | undefined };

function LeaguesOf({ gameweek, amount, current, feePercent, undecided, other, ownFplId, ownAmount }: Shown) {
  const status = gameweek === current.status?.gameweek ? current.status : undefined;
  return (
    <>
      <Link className="link-row" to={`/gameweeks/${gameweek}/draw`}>{msg("How the draw is made, and checked")}</Link>
      {undecided ? (
        <LeagueListSkeleton />
      ) : (
        <>
          {other && <EntryBefore entry={other} current={current.status} />}
          <LeagueList
            gameweek={gameweek}
            entryAmount={amount}
            open={current.status && current.open && status !== undefined}
            feePercent={feePercent}
            entries={status?.amounts.find(({ entryAmount }) => entryAmount === amount)?.entries}
            ownFplId={ownFplId}
            ownAmount={status && ownAmount}
          />
        </>
      )}
    </>
  );
}
