import { Table, TableBody, TableCell, TableHead, TableRow } from "@aws-amplify/ui-react";
import { Suspense, useState } from "react";
import { Link } from "react-router";
import { Card } from "../../components/Card";
import { Dialog } from "../../components/Dialog";
import { part } from "../../components/part";
import { Skeleton } from "../../components/Skeleton";
import { SomethingWrong } from "../../components/SomethingWrong";
import { useSeen } from "../../components/use-seen";
import type { Amount } from "../../lib/amounts";
import { eastAfricaTime } from "../../lib/time";
import styles from "./LeagueCard.module.css";
import { MemberRow } from "./MemberRow";
import { prizeOf } from "./prize";
import type { League } from "./leagues";
import { StateBadge } from "./StateBadge";
import { useLive } from "./use-live";
import { useMembers } from "./use-members";
import { useGlidingRows, useMoves } from "./use-moves";
import { msg, str } from "../../lib/i18n";

const MemberTeam = part(() => import("./pitch/MemberTeam").then((m) => m.MemberTeam));

/** What the points are worth, and of when they are. */
function asOf(status: League["status"], at: string): string {
  if (status === "provisional") return msg(str`Provisional points, as of ${at}: substitutes, bonus and corrections may still come.`);
  if (status === "final") return msg(str`The official final points, as of ${at}.`);
  return msg(str`Live points, as of ${at}: they move while matches are played. Substitutes and the vice-captain come in at the end.`);
}

type Props = {
  league: League;
  gameweek: number;
  entryAmount: Amount;
  /** The operator's share in this gameweek, where it is known. */
  feePercent: number | undefined;
  ownFplId: string | undefined;
};

/** A league, or a provisional group, with its table. */
export function LeagueCard({ league: listed, gameweek, entryAmount, feePercent, ownFplId }: Props) {
  const { ref, seen, near } = useSeen<HTMLDivElement>();
  const { league, loading, read } = useLive(listed, gameweek, entryAmount, { seen, near });
  const members = useMembers(league, seen && league.state !== "provisional");
  const moves = useMoves(members);
  const [team, setTeam] = useState<string | null>(null);
  const opened = members.find(({ fplId }) => fplId === team);
  useGlidingRows(ref, members);
  const own = isOwn(league, ownFplId);
  const mixed = league.state === "drawn" && members.some(({ final }) => !final);
  const prize = prizeOf(league, entryAmount, feePercent);
  return (
    <div ref={ref}>
      <Card
        title={own ? msg(str`Group #${league.number} (Your Group)`) : msg(str`Group #${league.number}`)}
        aside={<StateBadge league={league} members={members} />}
      >
        {prize && <p className={styles.pays}>{prize}</p>}
        {members.length === 0 ? (
          <p className="quiet">{msg("No players in this group yet.")}</p>
        ) : (
          <Table className={styles.table ?? ""} size="small">
            <Head />
            <TableBody>
              {members.map((member) => (
                <MemberRow
                  key={member.fplId}
                  member={member}
                  own={member.fplId === ownFplId}
                  gameweek={gameweek}
                  state={league.state}
                  mixed={mixed}
                  move={moves.get(member.fplId) ?? 0}
                  loading={loading}
                  read={read}
                  onTeam={() => setTeam(member.fplId)}
                />
              ))}
            </TableBody>
          </Table>
        )}
        {league.asOf && league.state === "drawn" && (
          <p className="quiet small">{asOf(league.status, eastAfricaTime(new Date(league.asOf)))}</p>
        )}
        {league.state === "settled" && (
          <Link className="link-row small" to={`/leagues/${league._id}/settlement`}>{msg("How it was settled")}</Link>
        )}
        {own && league.state !== "provisional" && <SomethingWrong kind="league" id={league._id} />}
        {opened && (
          <Dialog open title={opened.username} onClose={() => setTeam(null)}>
            <Suspense fallback={<Skeleton height="30rem" />}>
              <MemberTeam member={opened} own={members.find(({ fplId }) => fplId === ownFplId)} league={league._id} gameweek={gameweek} />
            </Suspense>
          </Dialog>
        )}
      </Card>
    </div>
  );
}

export const isOwn = (league: League, ownFplId: string | undefined) =>
  league.own || league.users.some((user) => user.fplId === ownFplId);

const Head = () => (
  <TableHead>
    <TableRow>
      <TableCell as="th" scope="col">{msg("Rank")}</TableCell>
      <TableCell as="th" scope="col">{msg("Username")}</TableCell>
      <TableCell as="th" scope="col" className={styles.figure ?? ""}>{msg("Points")}</TableCell>
    </TableRow>
  </TableHead>
);
