import { useQuery } from "@tanstack/react-query";
import { Refusal } from "../../api/refusal";
import { Card } from "../../components/Card";
import { CardSkeleton } from "../../components/CardSkeleton";
import { ErrorState } from "../../components/ErrorState";
import { Rows } from "../../components/Rows";
import { Skeleton } from "../../components/Skeleton";
import { ksh } from "../../lib/money";
import { eastAfricaTime } from "../../lib/time";
import { basisOf, figuresOf } from "./figures";
import { settlementQuery, type Place, type Settlement } from "./settlement";
import styles from "./Settlement.module.css";
import { msg, str } from "../../lib/i18n";

/** What a league was paid from: official figures, deduction, fee, ranking and payouts. */
export function SettlementReport({ league }: { league: string }) {
  const { data, error, isError, refetch } = useQuery(settlementQuery(league));
  if (data) return <Report settlement={data} />;
  if (error instanceof Refusal && error.status === 404) return <p>{msg("There is no such league, or it is not settled yet.")}</p>;
  if (isError) return <ErrorState text={msg("The settlement could not be read just now.")} onRetry={() => void refetch()} />;
  return (
    <>
      <Skeleton height="4.5rem" />
      <CardSkeleton rows={3} height="1.875rem" />
      <CardSkeleton height="4.625rem" />
    </>
  );
}

const Report = ({ settlement }: { settlement: Settlement }) => (
  <>
    <p>{msg(str`Settled ${eastAfricaTime(new Date(settlement.at))}. ${basisOf(settlement)} What is corrected later changes nothing that was paid.`)}</p>
    <Card title={msg("Money")}>
      <Money settlement={settlement} />
    </Card>
    <Card title={msg("Ranking")}>
      <Rows
        items={settlement.ranking}
        empty={msg("Nobody was ranked.")}
        id={(place) => place.fplId}
      >
        {(place) => <Row place={place} deducted={settlement.deductTransferPoints} />}
      </Rows>
      <p className="quiet small">{settlement.deductTransferPoints
          ? msg("Points decide, then bench points. Extra transfers are deducted in this gameweek.")
          : msg("Points decide, then bench points. Extra transfers are not deducted in this gameweek.")}</p>
    </Card>
    <Card title={msg("To check it")}>
      <p className="quiet small">{msg("SHA-256 of the figures that this was paid on:")}</p>
      <p className={styles.hash}>{settlement.figuresHash}</p>
    </Card>
  </>
);

const Money = ({ settlement: { collected, fee, feePercent, rounding } }: { settlement: Settlement }) => (
  <dl className={styles.facts}>
    {[
      { name: msg("Collected"), kes: collected },
      { name: msg(str`Fee, ${feePercent} %`), kes: fee },
      ...(rounding === 0 ? [] : [{ name: msg("Does not divide, stays here"), kes: rounding }]),
      { name: msg("Paid to players"), kes: collected - fee - rounding },
    ].map(({ name, kes }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className="money">{ksh(kes)}</dd>
      </div>
    ))}
  </dl>
);

const Row = ({ place, deducted }: { place: Place; deducted: boolean }) => (
  <div className={styles.place}>
    <b>{place.rank ?? "–"}</b>
    <span>{place.username || msg("Closed account")}</span>
    <span className={styles.gained}>
      {place.prize > 0 && msg(str`won ${ksh(place.prize)}`)}
      {place.refund > 0 && msg(str`refunded ${ksh(place.refund)}`)}
    </span>
    <span className={`quiet small ${styles.sum}`}>{figuresOf(place, deducted)}</span>
  </div>
);
