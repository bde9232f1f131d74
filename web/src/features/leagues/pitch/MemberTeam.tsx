import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorState } from "../../../components/ErrorState";
import { Skeleton } from "../../../components/Skeleton";
import { officialTeamPage } from "../../../lib/page";
import { chipName } from "../chips";
import { teamQuery } from "../leagues";
import { isOver, type Ranked } from "../ranking";
import { transfersInWords } from "../transfers";
import { Comparison } from "./Comparison";
import { Pitch } from "./Pitch";
import styles from "./Pitch.module.css";
import { msg, str } from "../../../lib/i18n";

type Props = {
  member: Ranked;
  /** The reader's own place in the same league. */
  own: Ranked | undefined;
  /** The id of their league. */
  league: string;
  gameweek: number;
};

/** Whose figures they are, and whether they still move. */
function worth({ final, ours, refund }: Ranked): string {
  if (final) return msg("points, official");
  if (ours) return msg("points, by our own figures");
  // Settled, and neither: no place was given by them.
  return refund === null ? msg("points as they stand") : msg("no points counted");
}

/** A member's team on the pitch, and what it has that the reader's own does not. */
export function MemberTeam({ member, own, league, gameweek }: Props) {
  const [view, setView] = useState<"team" | "compare">("team");
  const other = own && own.fplId !== member.fplId ? own : undefined;
  const transfers = transfersInWords(member);
  return (
    <>
      <p className={styles.score}>
        <b>{member.points ?? "–"}</b> {worth(member)}
        {member.chip && <span className={styles.chip}>{chipName(member.chip)}</span>}
        {transfers && <span className={styles.transfers}>{transfers}</span>}
      </p>
      {other && (
        <div className={styles.views} role="group" aria-label={msg("What is shown")}>
          <button type="button" aria-pressed={view === "team"} onClick={() => setView("team")}>{msg("The team")}</button>
          <button type="button" aria-pressed={view === "compare"} onClick={() => setView("compare")}>{msg("Beside mine")}</button>
        </div>
      )}
      {view === "compare" && other ? (
        <Beside me={other} other={member} league={league} />
      ) : (
        <OneTeam fplId={member.fplId} league={league} label={msg(str`Team of ${member.username}`)} over={isOver(member)} />
      )}
      <a className="link-row small" href={officialTeamPage(member.fplId, gameweek)} target="_blank" rel="noopener noreferrer">{msg("On the official site")}</a>
    </>
  );
}

type OneTeamProps = { fplId: string; league: string; label: string; over: boolean };

function OneTeam({ fplId, league, label, over }: OneTeamProps) {
  const { data, isError, refetch } = useQuery(teamQuery(fplId, league));
  if (data?.team) return <Pitch players={data.team.players} label={label} over={over} />;
  if (data) return <p>{msg("The team could not be read yet. It comes by itself, a few minutes after the draw.")}</p>;
  if (isError) return <ErrorState text={msg("The team could not be read just now.")} onRetry={() => void refetch()} />;
  return <PitchSkeleton />;
}

function Beside({ me, other, league }: { me: Ranked; other: Ranked; league: string }) {
  const mine = useQuery(teamQuery(me.fplId, league));
  const theirs = useQuery(teamQuery(other.fplId, league));
  const retry = () => void Promise.all([mine.refetch(), theirs.refetch()]);
  if (mine.data?.team && theirs.data?.team) {
    return <Comparison me={me} other={other} mine={mine.data.team.players} theirs={theirs.data.team.players} />;
  }
  if (mine.data && theirs.data) return <p>{msg("One of the two teams could not be read yet. It comes by itself.")}</p>;
  if ((mine.isError && !mine.data) || (theirs.isError && !theirs.data)) {
    return <ErrorState text={msg("The teams could not be read just now.")} onRetry={retry} />;
  }
  return <PitchSkeleton />;
}

/** A pitch before its team is there: as high as it will be. */
const PitchSkeleton = () => (
  <div className={styles.team} aria-busy="true">
    <div className={styles.pitch}>
      {[1, 4, 4, 2].map((count, line) => (
        <div key={line} className={styles.line}>
          {Array.from({ length: count }, (_, at) => (
            <span key={at} className={styles.waiting}>
              <Skeleton height="100%" />
            </span>
          ))}
        </div>
      ))}
    </div>
    <Skeleton height="7rem" />
  </div>
);
