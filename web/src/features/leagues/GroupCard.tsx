import { Badge, Table, TableBody, TableCell, TableHead, TableRow } from "@aws-amplify/ui-react";
import { Card } from "../../components/Card";
import { officialTeamPage } from "../../lib/page";
import styles from "./GroupCard.module.css";
import type { Ranked } from "./ranking";
import { useMembers } from "./use-members";

export type League = {
  _id: string;
  number: number;
  state: string;
  users: { fplId: string; username: string; points?: number | null; points_on_bench?: number | null }[];
};

type Props = {
  league: League;
  gameweek: number;
  /** The deadline has passed: there are points, or there soon will be. */
  started: boolean;
  ownFplId: string | undefined;
};

/** One group of ten with its table. */
export function GroupCard({ league, gameweek, started, ownFplId }: Props) {
  const members = useMembers(league.users, gameweek, started);
  const own = members.some((member) => member.fplId === ownFplId);
  return (
    <Card
      title={`Group #${league.number}${own ? " (Your Group)" : ""}`}
      aside={<State state={league.state} count={members.length} />}
    >
      {members.length === 0 ? (
        <p className="quiet">No players in this group yet.</p>
      ) : (
        <Table className={styles.table ?? ""} size="small">
          <TableHead>
            <TableRow>
              <TableCell as="th" scope="col">
                Rank
              </TableCell>
              <TableCell as="th" scope="col">
                Username
              </TableCell>
              <TableCell as="th" scope="col" className={styles.figure ?? ""}>
                Points
              </TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {members.map((member) => (
              <MemberRow
                key={member.fplId}
                member={member}
                own={member.fplId === ownFplId}
                gameweek={gameweek}
                started={started}
              />
            ))}
          </TableBody>
        </Table>
      )}
    </Card>
  );
}

type RowProps = { member: Ranked; own: boolean; gameweek: number; started: boolean };

const MemberRow = ({ member, own, gameweek, started }: RowProps) => (
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
    </TableCell>
    <TableCell className={styles.figure ?? ""}>
      <Points member={member} started={started} />
    </TableCell>
  </TableRow>
);

function Points({ member, started }: { member: Ranked; started: boolean }) {
  if (member.missing)
    return (
      <>
        0* <span className="quiet small">not available</span>
      </>
    );
  if (member.points === null) return started ? <>Loading...</> : <span className="quiet">–</span>;
  return (
    <>
      <b>{member.points}</b>
      {member.tied && member.bench !== null && <span className="quiet small"> (bench {member.bench})</span>}
    </>
  );
}

/** What the figures are worth, in words. */
function State({ state, count }: { state: string; count: number }) {
  if (state === "provisional") return <Badge variation="warning">provisional · {count} of 10</Badge>;
  return <Badge>{state}</Badge>;
}
