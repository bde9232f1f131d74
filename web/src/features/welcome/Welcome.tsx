import { useEffect, useState } from "react";
import { Link } from "react-router";
import { Countdown } from "../../components/Countdown";
import { rich } from "../../components/rich";
import { RowsSkeleton, Skeleton } from "../../components/Skeleton";
import { ksh } from "../../lib/money";
import { useWithin } from "../../lib/deadline";
import { eastAfricaTime } from "../../lib/time";
import { readFigures, type Figures, type Paid, type Settlement, type Status } from "./figures";
import { DrawPicture, PayPicture, WinPicture } from "./pictures";
import styles from "./Welcome.module.css";
import { msg, str } from "../../lib/i18n";
import { plural } from "../../lib/plural";
import { projection } from "../../lib/projection";

/**
 * What this is, for who sees it for the first time. What is there without a call comes first; the figures come
 * below it and all at once, so that nothing moves.
 */
export function Welcome() {
  const figures = useFigures();
  return (
    <div className={styles.welcome}>
      <HowItWorks />
      {figures ? (
        <>
          {figures.status && <ThisGameweek status={figures.status} />}
          {figures.paid && <LastPaid paid={figures.paid} />}
          <Fair feePercent={figures.status?.feePercent} drawn={figures.drawn} league={figures.paid?.league?.league} />
        </>
      ) : (
        <FiguresSkeleton />
      )}
    </div>
  );
}

/** This gameweek, what the last one paid, how to know that it is fair. */
const FiguresSkeleton = () =>
  [
    { rows: 3, height: "5.25rem" },
    { rows: 4, height: "2.375rem" },
    { rows: 4, height: "7rem" },
  ].map(({ rows, height }, i) => (
    <div key={i} className={styles.part}>
      <Skeleton width="60%" height="1.625rem" />
      <Skeleton height="3rem" />
      <RowsSkeleton count={rows} height={height} />
    </div>
  ));

const STALE_MS = 60_000;

/** The figures, read again by who comes back to the page later. */
function useFigures(): Figures | null {
  const [figures, setFigures] = useState<Figures | null>(null);
  useEffect(() => {
    const left = new AbortController();
    let at = 0;
    const read = () => {
      if (document.hidden || Date.now() - at < STALE_MS) return;
      at = Date.now();
      void readFigures(left.signal).then((read) => {
        // Where they cannot be read again they stay as they were.
        if (!left.signal.aborted) setFigures((old) => (read.status || !old ? read : old));
      });
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => {
      left.abort();
      document.removeEventListener("visibilitychange", read);
    };
  }, []);
  return figures;
}

const steps = () => [
  {
    Picture: PayPicture,
    title: msg("Pay an entry"),
    text: msg("KSh 50, 100 or 250 by M-Pesa, before the deadline. You play with the team that you have in the official fantasy game."),
  },
  {
    Picture: DrawPicture,
    title: msg("Get a league"),
    text: msg("After the deadline up to ten who paid the same are drawn into a league, in a draw that anybody can check."),
  },
  {
    Picture: WinPicture,
    title: msg("Top the league"),
    text: msg("The most official points in the gameweek take the prize. It comes into your wallet, and from there to your phone."),
  },
];

const HowItWorks = () => (
  <section aria-labelledby="how">
    <h2 id="how" className={styles.title}>{msg("How it works")}</h2>
    <ol className={styles.steps}>
      {steps().map(({ Picture, title, text }) => (
        <li key={title}>
          <Picture />
          <div>
            <h3 className={styles.step}>{title}</h3>
            <p className="quiet small">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  </section>
);

function ThisGameweek({ status }: { status: Status }) {
  const passed = useWithin(status, 0);
  const { gameweek, deadline, amounts, feePercent } = status;
  if (!gameweek || !deadline) return null;
  const isOpen = status.isOpen && !passed;
  const entries = amounts.reduce((sum, amount) => sum + amount.entries, 0);
  return (
    <section className={styles.part} aria-labelledby="this-gameweek">
      <h2 id="this-gameweek" className={styles.title}>{msg(str`Gameweek ${gameweek}`)}</h2>
      <p>
        {isOpen ? msg("Join until") : msg("The deadline was")} <b className="whole">{eastAfricaTime(new Date(deadline))}</b>
        {isOpen ? rich(msg(": [what is left] left."), () => <Countdown status={status} />) : "."}{" "}
        <span className="whole">
          {isOpen
            ? plural(entries, msg(str`${entries} entry so far.`), msg(str`${entries} entries so far.`))
            : plural(entries, msg(str`${entries} entry.`), msg(str`${entries} entries.`))}
        </span>
      </p>
      {isOpen && <p className="quiet small">{msg("If the draw came now:")}</p>}
      <ul className={styles.rows}>
        {amounts.map((offer) => (
          <li key={offer.entryAmount}>
            <b className="money">{ksh(offer.entryAmount)}</b>
            <span className={styles.now}>{isOpen ? projection(offer, feePercent) : msg(str`${offer.entries} joined`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const LastPaid = ({ paid: { number, prizes, entries, leagues, league } }: { paid: Paid }) => (
  <section className={styles.part} aria-labelledby="last-paid">
    <h2 id="last-paid" className={styles.title}>
      {rich(msg(str`Gameweek ${number} paid [${ksh(prizes)}]`), (amount) => <span className="money">{amount}</span>)}
    </h2>
    <p>
      {plural(
        leagues,
        msg(str`In prizes. ${entries} entries were drawn into ${leagues} league.`),
        msg(str`In prizes. ${entries} entries were drawn into ${leagues} leagues.`),
      )}
    </p>
    {league && <OneLeague league={league} />}
  </section>
);

const OneLeague = ({ league: { league, ranking, collected } }: { league: Settlement }) => (
  <>
    <p className="quiet small">{msg(str`One of them: ${ranking.length} players, ${ksh(collected)} paid in. Its first three:`)}</p>
    <ol className={styles.rows}>
      {ranking.slice(0, 3).map(({ fplId, rank, username, points, prize }) => (
        <li key={fplId}>
          <span>
            {rank ?? "–"}. {username || msg("Closed account")}
          </span>
          <span>{msg(str`${points ?? "–"} points`)}</span>
          {prize > 0 && <b className="money">{ksh(prize)}</b>}
        </li>
      ))}
    </ol>
    <Link className="link-row" to={`/leagues/${league}/settlement`}>{msg("The whole league, and how it was paid")}</Link>
  </>
);

type FairProps = { feePercent: number | undefined; drawn: string | null; league: string | undefined };

const Fair = ({ feePercent, drawn, league }: FairProps) => (
  <section className={styles.part} aria-labelledby="fair">
    <h2 id="fair" className={styles.title}>{msg("How you know that it is fair")}</h2>
    <dl className={styles.fair}>
      <div>
        <dt>{msg("The draw")}</dt>
        <dd>
          {msg("It is made from the list of entries, a secret of ours and a public random number that comes later. The fingerprints of list and secret are public before that number is, so nobody can choose who plays whom.")}{" "}
          {drawn && <Link to={`/gameweeks/${drawn}/draw`}>{msg("Make the last draw again")}</Link>}
        </dd>
      </div>
      <div>
        <dt>{msg("The result")}</dt>
        <dd>
          {msg("Official points decide, then points on the bench. A league is paid once, from a record that everybody can read.")}{" "}
          {league && <Link to={`/leagues/${league}/settlement`}>{msg("Read one")}</Link>}
        </dd>
      </div>
      <div>
        <dt>{msg("The money")}</dt>
        <dd>{msg("Each movement is booked on two accounts. Every night all of it is added up: a new difference pauses payouts. Then it is compared with what M-Pesa holds.")}</dd>
      </div>
      {feePercent !== undefined && (
        <div>
          <dt>{msg("The fee")}</dt>
          <dd>{msg(str`A league pays ${100 - feePercent} % of what it collects. ${feePercent} % is our fee.`)}</dd>
        </div>
      )}
    </dl>
  </section>
);
