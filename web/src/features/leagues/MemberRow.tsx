import { TableCell, TableRow } from "@aws-amplify/ui-react";
import { ksh } from "../../lib/money";
import { officialTeamPage } from "../../lib/page";
import { chipName } from "./chips";
import styles from "./LeagueCard.module.css";
import type { Ranked } from "./ranking";

type Props = { member: Ranked; own: boolean; gameweek: number; provisional: boolean };

/** One player: where they stand, their official team page, what they have and what they won. */
export const MemberRow = ({ member, own, gameweek, provisional }: Props) => (
  <TableRow className={own ? (styles.own ?? "") : ""} aria-current={own || undefined}>
    <TableCell>{member.rank ?? "–"}</TableCell>
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
      {member.prize !== null && member.prize > 0 && <span className={styles.prize}>won {ksh(member.prize)}</span>}
      {member.refund !== null && member.refund > 0 && <span className={styles.prize}>refunded {ksh(member.refund)}</span>}
    </TableCell>
    <TableCell className={styles.figure ?? ""}>
      <Points member={member} provisional={provisional} />
    </TableCell>
  </TableRow>
);

function Points({ member, provisional }: { member: Ranked; provisional: boolean }) {
  if (provisional) return <span className="quiet">–</span>;
  if (member.missing)
    return (
      <>
        <b>0*</b> <span className={styles.bench}>not available</span>
      </>
    );
  if (member.points === null) return member.loading ? <>Loading...</> : <span className={styles.bench}>not yet</span>;
  return (
    <>
      <b>{member.points}</b>
      {member.tied && member.bench !== null && <span className={styles.bench}> bench {member.bench}</span>}
    </>
  );
}

/** What the points were before extra transfers were paid for, in the words of the settlement. */
function Transfers({ member: { gross, hits, points } }: { member: Ranked }) {
  if (!hits || gross === null) return null;
  const sum = points === gross ? `${hits} for transfers not deducted` : `${gross} − ${hits} for transfers`;
  return <span className={styles.transfers}>{sum}</span>;
}
