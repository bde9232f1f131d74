import { TableCell, TableRow, VisuallyHidden } from "@aws-amplify/ui-react";
import { Skeleton } from "../../components/Skeleton";
import { ksh } from "../../lib/money";
import { officialTeamPage } from "../../lib/page";
import { chipName } from "./chips";
import styles from "./LeagueCard.module.css";
import type { League } from "./leagues";
import type { Ranked } from "./ranking";
import { transfersInWords } from "./transfers";
import { msg, str } from "../../lib/i18n";

type Props = {
  member: Ranked;
  own: boolean;
  gameweek: number;
  state: League["state"];
  /** Whether points of others in the league are not official yet: then it is said of each whose are. */
  mixed: boolean;
  /** Places gone up since the page was opened; down below 0. */
  move: number;
  /** How the team is doing is being asked for. */
  loading: boolean;
  /** It has been asked for, and an answer came. */
  read: boolean;
  onTeam: () => void;
};

/** One player: where they stand, their official team page, what they have and what they won. */
export const MemberRow = ({ member, own, gameweek, state, mixed, move, loading, read, onTeam }: Props) => (
  <TableRow className={own ? (styles.own ?? "") : ""} aria-current={own || undefined} data-team={member.fplId}>
    <TableCell>
      {member.rank ?? "–"}
      {move !== 0 && <Move by={move} />}
    </TableCell>
    <TableCell className={styles.who ?? ""}>
      <a
        className={styles.player}
        href={officialTeamPage(member.fplId, gameweek)}
        target="_blank"
        rel="noopener noreferrer"
      >
        {member.username}
      </a>
      {member.chip && <span className={styles.chip}>{chipName(member.chip)}</span>}
      <Transfers member={member} />
      {state !== "provisional" && <Now member={member} state={state} loading={loading} read={read} onTeam={onTeam} />}
      {member.prize !== null && member.prize > 0 && <span className={styles.prize}>{msg(str`won ${ksh(member.prize)}`)}</span>}
      {member.refund !== null && member.refund > 0 && <span className={styles.prize}>{msg(str`refunded ${ksh(member.refund)}`)}</span>}
    </TableCell>
    <TableCell className={styles.figure ?? ""}>
      <Points member={member} state={state} />
      {mixed && member.final && <span className={styles.bench}> {msg("official")}</span>}
    </TableCell>
  </TableRow>
);

const Move = ({ by }: { by: number }) => (
  <span className={by > 0 ? styles.up : styles.down} role="img" aria-label={by > 0 ? msg(str`up ${by}`) : msg(str`down ${-by}`)}>
    {by > 0 ? "▲" : "▼"}
    {Math.abs(by)}
  </span>
);

type NowProps = Pick<Props, "member" | "state" | "loading" | "read" | "onTeam">;

/** The captain and how many are still to come; it opens the team. Before that is known its line is kept free: nothing jumps. */
function Now({ member: { username, now }, state, loading, read, onTeam }: NowProps) {
  if (!now && loading) return <span className={styles.now}><Skeleton height="1rem" /></span>;
  if (!now) return state === "drawn" ? <span className={styles.now}>{read && msg("not known yet who plays")}</span> : null;
  const team = msg(str`Team of ${username}`);
  return (
    <button type="button" className={styles.now} onClick={onTeam}>
      {now.captain && (
        <span className={styles.captain}>
          <VisuallyHidden>{team}: {msg("captain")} </VisuallyHidden>
          <b aria-hidden>C</b> {now.captain}
        </span>
      )}{" "}
      <span>
        {!now.captain && <VisuallyHidden>{team}: </VisuallyHidden>}
        {stillToCome(now)}
      </span>
    </button>
  );
}

/** `4 played · 2 playing · 5 left`; what is none is left out. */
function stillToCome({ played, playing, left }: { played: number; playing: number; left: number }): string {
  const parts = [played > 0 && msg(str`${played} played`), playing > 0 && msg(str`${playing} playing`), left > 0 && msg(str`${left} left`)];
  return parts.filter(Boolean).join(" · ") || msg("nobody plays");
}

function Points({ member, state }: { member: Ranked; state: League["state"] }) {
  // What is settled without points was settled without them.
  if (state === "provisional" || (state === "settled" && member.points === null)) return <span className="quiet">–</span>;
  if (member.missing)
    return (
      <>
        <b>0*</b> <span className={styles.bench}>{msg("not available")}</span>
      </>
    );
  if (member.points === null) return member.loading ? <>{msg("Loading...")}</> : <span className={styles.bench}>{msg("not yet")}</span>;
  return (
    <>
      <b>{member.points}</b>
      {member.tied && member.bench !== null && <span className={styles.bench}> {msg(str`bench ${member.bench}`)}</span>}
    </>
  );
}

function Transfers({ member }: { member: Ranked }) {
  const sum = transfersInWords(member);
  return sum && <span className={styles.transfers}>{sum}</span>;
}
