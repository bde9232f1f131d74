import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { Card } from "../../components/Card";
import { ErrorState } from "../../components/ErrorState";
import { Rows } from "../../components/Rows";
import { Skeleton } from "../../components/Skeleton";
import { isSettled, outcomeInWords, stateOf, sumInPlay } from "../../lib/entry-outcome";
import { leagueNumber } from "../../lib/gameweek";
import { ksh, signedKsh } from "../../lib/money";
import { nameOfPosting } from "../../lib/postings";
import { NewestOnly } from "../../panel/NewestOnly";
import styles from "../../panel/Panel.module.css";
import { Stale } from "../../panel/Stale";
import { useTimeOfYears } from "../../panel/use-time-of-years";
import { Act } from "./AuditLog";
import { auditId } from "./audit";
import { PlayerAccount } from "./PlayerAccount";
import { PlayerPrompts } from "./PlayerPrompts";
import { usePlayer, type Correction, type Profile } from "./players";

type Props = {
  id: string;
  /** The numbers that are theirs. */
  numbers: (profile: Profile) => ReactNode;
  withdrawals: ReactNode;
  correction: Correction;
};

/** A player with everything that is theirs. */
export function PlayerProfile({ id, numbers, withdrawals, correction }: Props) {
  const player = usePlayer(id, correction.book);
  const { profile, transactions, more, failed, stale, refresh } = player;
  if (failed) return <ErrorState text={failed} onRetry={refresh} />;
  if (!profile) return <Skeleton height="24rem" />;
  // What is still played for is neither won nor lost, as its player reads it too.
  const inPlay = sumInPlay(profile.entries.entries);
  return (
    <>
      {stale && <Stale />}
      <PlayerAccount profile={profile} player={player} correction={correction} />
      {numbers(profile)}
      <PlayerPrompts prompts={profile.prompts} />
      <Card title="Money">
        <Rows items={transactions} more={more} empty="No money has moved yet." id={({ _id }) => _id}>
          {(transaction) => <Movement transaction={transaction} />}
        </Rows>
      </Card>
      {withdrawals}
      <Card title="Entries">
        <p>
          Profit and loss: <b className="money">{signedKsh(profile.entries.profitAndLoss + inPlay)}</b>
        </p>
        {inPlay > 0 && <p className="quiet small">{ksh(inPlay)} in play is not counted yet.</p>}
        <Rows items={profile.entries.entries} empty="No entries yet." id={({ gameweek }) => gameweek}>
          {(entry) => <Entry entry={entry} />}
        </Rows>
        <NewestOnly of={profile.entries.entries} />
      </Card>
      <Card title="Sessions">
        <Rows items={profile.sessions} empty="Nobody is logged in." id={({ createdAt, lastUsedAt }) => `${createdAt} ${lastUsedAt}`}>
          {(session) => <SessionOf session={session} />}
        </Rows>
        <NewestOnly of={profile.sessions} />
      </Card>
      <Card title="Acts of admins">
        <Rows items={profile.acts} empty="Nothing was done by hand." id={auditId}>
          {(act) => <Act act={act} />}
        </Rows>
        <NewestOnly of={profile.acts} />
      </Card>
    </>
  );
}

function Movement({ transaction: { kind, amount, balanceAfter, receipt, note, at } }: { transaction: Schemas["Transaction"] }) {
  const inWords = useTimeOfYears();
  return (
    <>
      <div className={styles.half}>
        {/* The one name that speaks to the player. */}
        <p className={styles.name}>{kind === "debt-paid" ? "Paid what was owed" : nameOfPosting(kind)}</p>
        <p className="quiet small">{inWords(at)}</p>
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
}

function SessionOf({ session: { createdAt, lastUsedAt, stands } }: { session: Schemas["SessionItem"] }) {
  const at = useTimeOfYears();
  return (
    <div className={styles.what}>
      <p className={stands ? styles.name : "quiet"}>{stands ? "Active" : "Over"}</p>
      <p className="quiet small">
        Begun {at(createdAt)} · last used {at(lastUsedAt)}
      </p>
    </div>
  );
}

function Entry({ entry }: { entry: Schemas["EntryView"] }) {
  const { gameweek, amount, league, rank, points, refundReason } = entry;
  const place = stateOf(entry) === "won" && isSettled(entry) ? `, rank ${rank} with ${points ?? 0} points` : "";
  return (
    <div className={styles.what}>
      <p className={styles.name}>
        Gameweek {gameweek} · {ksh(amount)}
      </p>
      <p className="small">{`${outcomeInWords(entry)}${place}`}</p>
      {refundReason && <p className="quiet small">{refundReason}</p>}
      {league && <League id={league} hasRecord={isSettled(entry)} />}
    </div>
  );
}

/** A league's number; once it is settled, the way to how. */
function League({ id, hasRecord }: { id: string; hasRecord: boolean }) {
  const name = `Group #${leagueNumber(id)}`;
  return hasRecord ? (
    <Link className="link-row small" to={`/leagues/${id}/settlement`}>
      {name}
    </Link>
  ) : (
    <p className="quiet small">{name}</p>
  );
}
