import { Button } from "@aws-amplify/ui-react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { mayPlay, mayPromote } from "../../api/promotions";
import { refreshWallet, settingsQuery, userQuery } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { modals, watchModals } from "../../components/open-modal";
import { part } from "../../components/part";
import { rich } from "../../components/rich";
import { Skeleton } from "../../components/Skeleton";
import { leagueNumber } from "../../lib/gameweek";
import { ksh } from "../../lib/money";
import { sentences } from "../../lib/sentences";
import { useSession } from "../../lib/session";
import { noteSeen, seenGameweeks } from "../../lib/told-wins";
import { entriesQuery, teamOf, type Entry } from "./entries";
import { towardsDebt } from "./standing";
import { useWayOut, type WayOut } from "./use-way-out";
import { decidedGameweeks, untoldWins } from "./win";
import { msg, str } from "../../lib/i18n";

const ShareWin = part(() => import("./ShareWin").then((m) => m.ShareWin));

type Props = {
  /** Something else is asked of the player now: it is told the next time. */
  quiet: boolean;
  onWithdraw: () => void;
};

/** Tells a winner, once on each device, at the first visit after it is known. */
export function WinNews(props: Props) {
  const userId = useSession()?.userId;
  return userId === undefined ? null : <NewsOf key={userId} userId={userId} {...props} />;
}

function NewsOf({ userId, quiet, onWithdraw }: Props & { userId: string }) {
  const { data } = useInfiniteQuery(entriesQuery);
  const { data: user } = useQuery(userQuery);
  // As it was when the page came: a win is noted as told while it is still being read.
  const [seen] = useState(() => seenGameweeks(userId));
  const entries = data?.pages[0]?.entries;
  const [win, ...earlier] = untoldWins(entries ?? [], seen);
  const noNews = entries !== undefined && !win;
  useEffect(() => {
    if (noNews) noteSeen(userId, decidedGameweeks(entries));
  }, [noNews, entries, userId]);
  if (!win || !entries || !user || quiet) return null;
  return <News key={win.gameweek} {...{ win, earlier, entries, userId, user, onWithdraw }} />;
}

const BODY = "win-news";
/** Whether a dialog other than this one is open. */
const isInDialog = () => modals().some((dialog) => !dialog.querySelector(`#${BODY}`));

function whereItIs(wayOut: WayOut | undefined, playsOn: boolean) {
  if (wayOut?.is !== "open") return msg("The prize is booked to your wallet.");
  return playsOn
    ? msg("The prize is booked to your wallet. Keep it there for your next entries, or withdraw it to M-Pesa.")
    : msg("The prize is booked to your wallet. You can withdraw it to M-Pesa.");
}

type NewsProps = { win: Entry; earlier: Entry[]; entries: readonly Entry[]; userId: string; user: Schemas["User"]; onWithdraw: () => void };

function News({ win, earlier, entries, userId, user, onWithdraw }: NewsProps) {
  // What was told while the page was open is not told again with this one.
  const [seen] = useState(() => seenGameweeks(userId) ?? []);
  const [isUntold, setUntold] = useState(!seen.includes(win.gameweek));
  const [sharing, setSharing] = useState(false);
  const { data: settings, isPending } = useQuery({ ...settingsQuery, enabled: isUntold });
  // The prize may be booked since the wallet was read.
  const client = useQueryClient();
  const [isBooked, setBooked] = useState(false);
  useEffect(() => {
    if (isUntold && !isBooked) void refreshWallet(client).finally(() => setBooked(true));
  }, [isUntold, isBooked, client]);
  const wayOut = useWayOut(user.wallet, isUntold ? settings : undefined, teamOf(win));
  const playsOn = mayPlay(user);
  const isElsewhere = useSyncExternalStore(watchModals, isInDialog);
  // It opens with all that is in it, and over nothing that the player has opened.
  const isOpen = isUntold && isBooked && !isPending && wayOut !== undefined && !isElsewhere;
  useEffect(() => {
    if (isOpen) noteSeen(userId, decidedGameweeks(entries));
  }, [isOpen, userId, entries]);
  const close = () => setUntold(false);
  const others = earlier.filter(({ gameweek }) => !seen.includes(gameweek));
  const inWallet = [win, ...others].some(({ prize, towardsDebt: paid }) => (paid ?? 0) < prize);

  return (
    <Dialog open={isOpen} title={msg(str`You won ${ksh(win.prize)}`)} onClose={close}>
      <span id={BODY} hidden />
      {sharing ? (
        <Suspense fallback={<Skeleton height="26rem" />}>
          <ShareWin entry={win} />
        </Suspense>
      ) : (
        <>
          <p>
            {win.league
              ? msg(str`Group #${leagueNumber(win.league)}, gameweek ${win.number}: rank ${win.rank} with ${win.points ?? 0} points. Well played!`)
              : msg(str`gameweek ${win.number}: rank ${win.rank} with ${win.points ?? 0} points. Well played!`)}
          </p>
          <p>{towardsDebt(win) ?? whereItIs(wayOut, playsOn)}</p>
          {others.map((entry) => (
            <p key={entry.gameweek}>
              {sentences(msg(str`You also won ${ksh(entry.prize)} in gameweek ${entry.number}.`), towardsDebt(entry))}
            </p>
          ))}
          {inWallet && wayOut && <WhatNow {...{ wayOut, playsOn, onWithdraw }} onClose={close} />}
          {mayPromote(settings, user) && <Button isFullWidth onClick={() => setSharing(true)}>{msg("Make a picture to share")}</Button>}
          {win.league && (
            <Link className="link-row" to={`/leagues/${win.league}/settlement`} onClick={close}>{msg(str`How Group #${leagueNumber(win.league)} was paid`)}</Link>
          )}
        </>
      )}
    </Dialog>
  );
}

type WhatNowProps = { wayOut: WayOut; playsOn: boolean; onWithdraw: () => void; onClose: () => void };

/** What can be done with a prize that is in the wallet, and what has to be done before. */
const WhatNow = ({ wayOut, playsOn, onWithdraw, onClose }: WhatNowProps) => (
  <>
    {wayOut.is === "too-little" && (
      <p>
        {sentences(
          playsOn ? msg("What is in your wallet can be used for the next gameweek.") : null,
          msg(str`Withdrawals start at ${ksh(wayOut.minimum)}.`),
        )}
      </p>
    )}
    {wayOut.is === "unproved" && (
      <p>{rich(msg("To withdraw what you have won, first [prove that your team is yours]."), (page) => <Link to="/team">{page}</Link>)}</p>
    )}
    {(wayOut.is === "open" || wayOut.is === "unsure") && (
      <Button
        variation="primary"
        isFullWidth
        onClick={() => {
          onClose();
          onWithdraw();
        }}
      >{msg("Withdraw")}</Button>
    )}
    {playsOn && <Button isFullWidth onClick={onClose}>{msg("Play on with it")}</Button>}
  </>
);
