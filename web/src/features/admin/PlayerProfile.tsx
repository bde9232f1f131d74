import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { Card } from "../../components/Card";
import { ErrorState } from "../../components/ErrorState";
import { Rows } from "../../components/Rows";
import { Skeleton } from "../../components/Skeleton";
import { leagueNumber } from "../../lib/gameweek";
import { ksh, signedKsh } from "../../lib/money";
import { nameOfPosting } from "../../lib/postings";
import { eastAfricaTime } from "../../lib/time";
import styles from "../../panel/Panel.module.css";
import { Stale } from "../../panel/Stale";
import { Act } from "./AuditLog";
import { auditId } from "./audit";
import { PlayerAccount } from "./PlayerAccount";
import { usePlayer, type Correction, type Profile } from "./players";

type Props = {
  id: string;
  /** The numbers that are theirs. */
  numbers: (profile: Profile) => ReactNode;
  correction: Correction;
};

/** A player with everything that is theirs. */
export function PlayerProfile({ id, numbers, correction }: Props) {
  const player = usePlayer(id, correction.book);
  const { profile, transactions, more, failed, stale, refresh } = player;
  if (failed) return <ErrorState text={failed} onRetry={refresh} />;
  if (!profile) return <Skeleton height="24rem" />;
  return (
    <>
      {stale && <Stale />}
      <PlayerAccount profile={profile} player={player} correction={correction} />
      {numbers(profile)}
      <Card title="Money">
        <Rows items={transactions} more={more} empty="No money has moved yet." id={({ _id }) => _id}>
          {(transaction) => <Movement transaction={transaction} />}
        </Rows>
      </Card>
      <Card title="Entries">
        <p>
          Profit and loss: <b className="money">{signedKsh(profile.entries.profitAndLoss)}</b>
        </p>
        <Rows items={profile.entries.entries} empty="No entries yet." id={({ gameweek }) => gameweek}>
          {(entry) => <Entry entry={entry} />}
        </Rows>
      </Card>
      <Card title="Sessions">
        <Rows items={profile.sessions} empty="Nobody is logged in." id={({ createdAt, lastUsedAt }) => `${createdAt} ${lastUsedAt}`}>
          {({ createdAt, lastUsedAt, stands }) => (
            <div className={styles.what}>
              <p className={stands ? styles.name : "quiet"}>{stands ? "Stands" : "Over"}</p>
              <p className="quiet small">
                Begun {eastAfricaTime(new Date(createdAt))} · last used {eastAfricaTime(new Date(lastUsedAt))}
              </p>
            </div>
          )}
        </Rows>
      </Card>
      <Card title="Acts of admins">
        <Rows items={profile.acts} empty="Nothing was done by hand." id={auditId}>
          {(act) => <Act act={act} />}
        </Rows>
      </Card>
    </>
  );
}

const Movement = ({ transaction: { kind, amount, balanceAfter, receipt, note, at } }: { transaction: Schemas["Transaction"] }) => (
  <>
    <div className={styles.half}>
      <p className={styles.name}>{nameOfPosting(kind)}</p>
      <p className="quiet small">{eastAfricaTime(new Date(at))}</p>
      {receipt && <p className="quiet small">Receipt {receipt}</p>}
      {note && <p className="quiet small">{note}</p>}
    </div>
    <div className={styles.amounts}>
      <p className={`money ${styles.name}`}>{signedKsh(amount)}</p>
      <p className="quiet small">
        Balance <span className="money">{ksh(balanceAfter)}</span>
      </p>
    </div>
  </>
);

function Entry({ entry: { gameweek, amount, league, rank, points, prize, refund, refundReason } }: { entry: Schemas["EntryView"] }) {
  const came = [
    prize > 0 ? `won ${ksh(prize)}` : null,
    refund > 0 ? `refunded ${ksh(refund)}` : null,
    rank ? `rank ${rank} with ${points ?? 0} points` : null,
    !league && refund === 0 ? "waits for the draw" : null,
  ];
  return (
    <div className={styles.what}>
      <p className={styles.name}>
        Gameweek {gameweek} · {ksh(amount)}
      </p>
      <p className="small">{came.filter(Boolean).join(", ") || "in play"}</p>
      {refundReason && <p className="quiet small">{refundReason}</p>}
      {league && (
        <Link className="link-row small" to={`/leagues/${league}/settlement`}>
          Group #{leagueNumber(league)}
        </Link>
      )}
    </div>
  );
}
