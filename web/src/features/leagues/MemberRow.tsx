import { TableCell, TableRow } from "@aws-amplify/ui-react";
import { ksh } from "../../lib/money";
import { officialTeamPage } from "../../lib/page";
import styles from "./GroupCard.module.css";
import type { Ranked } from "./ranking";

type Props = { member: Ranked; own: boolean; gameweek: number; provisional: boolean };

/** One player: where they stand, their official team page, what they have and what they won. */
export const MemberRow = ({ member, own, gameweek, provisional }: Props) => (
  <TableRow className={own ? (styles.own ?? "") : ""} aria-current={own || undefined}>
    <TableCell>{member.rank}</TableCell>
    <TableCell>
      <a
        className={styles.player}
        href={officialTeamPage(member.fplId, gameweek)}
        target="_blank"
        rel="noopener noreferrer"
      >
        {member.username}
      </a>
      {member.prize !== null && member.prize > 0 && <span className={styles.prize}>won {ksh(member.prize)}</span>}
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
        <span className={styles.bench}>not available </span>
        <b>0*</b>
      </>
    );
  if (member.points === null) return member.loading ? <>Loading...</> : <span className={styles.bench}>not yet</span>;
  return (
    <>
      {member.tied && member.bench !== null && <span className={styles.bench}>bench {member.bench} </span>}
      <b>{member.points}</b>
    </>
  );
}
