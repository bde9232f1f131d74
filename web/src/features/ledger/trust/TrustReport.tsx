import { useQuery } from "@tanstack/react-query";
import { Card } from "../../../components/Card";
import { CardSkeleton } from "../../../components/CardSkeleton";
import { CopyButton } from "../../../components/CopyButton";
import { ErrorState } from "../../../components/ErrorState";
import { Skeleton } from "../../../components/Skeleton";
import { ksh } from "../../../lib/money";
import { plural } from "../../../lib/plural";
import { ageOf, eastAfricaTime } from "../../../lib/time";
import { kshOfCents } from "./cents";
import { nameOfLine } from "./lines";
import { trustQuery, type Root, type Sums, type Trust, type TrustGameweek } from "./trust";
import styles from "./Trust.module.css";
import { msg, str } from "../../../lib/i18n";

const time = (at: string) => eastAfricaTime(new Date(at));

/** What players' wallets come to, what M-Pesa holds, and what lies between: as the last reading of the books has it. */
export function TrustReport() {
  const { data: trust, isError, refetch } = useQuery(trustQuery);
  if (trust) return <Report trust={trust} />;
  if (isError) return <ErrorState text={msg("The books could not be read just now.")} onRetry={() => void refetch()} />;
  return (
    <>
      <Skeleton height="3rem" />
      <CardSkeleton rows={5} height="3rem" />
      <CardSkeleton rows={3} height="2.75rem" />
      <CardSkeleton rows={3} height="4rem" />
    </>
  );
}

const doNotAgree = (figures: number) =>
  plural(
    figures,
    msg("In the books one figure does not agree. We are looking into it."),
    msg(str`In the books ${figures} figures do not agree. We are looking into it.`),
  );

function Report({ trust }: { trust: Trust }) {
  if (!trust.asOf) return <p>{msg("The books are read each night. They were not read yet: look again tomorrow.")}</p>;
  return (
    <>
      <p>{msg(str`As of ${time(trust.asOf)}, Kenya’s time. The books are read anew each night.`)}</p>
      {trust.differences ? <p className={styles.no}>{doNotAgree(trust.differences)}</p> : null}
      <Card title={msg("Players’ money")}>
        {trust.sums ? (
          <Money sums={trust.sums} />
        ) : (
          <p>{msg(str`Fewer than ${trust.leastPlayers} players hold money: their sum would tell of them, so it is not shown.`)}</p>
        )}
      </Card>
      <Card title={msg("By gameweek")}>
        {trust.gameweeks.length === 0 && <p>{msg("There is no gameweek to tell of yet.")}</p>}
        {trust.gameweeks.map((gameweek) => (
          <Gameweek key={gameweek.gameweek} gameweek={gameweek} />
        ))}
        {trust.gameweeksLeftOut > 0 && (
          <p className="quiet small">{msg(str`Gameweeks with fewer than ${trust.leastPlayers} entries are left out: their figures would tell of their players.`)}</p>
        )}
      </Card>
      <Draws trust={trust} />
      <Roots trust={trust} />
    </>
  );
}

const Money = ({ sums: { wallets, booked, mpesa, lines } }: { sums: Sums }) => (
  <>
    <dl className={styles.facts}>
      <div>
        <dt>{msg("All wallets together")}</dt>
        <dd className="money">{ksh(wallets)}</dd>
      </div>
      {lines.map(({ what, cents }) => (
        <div key={what}>
          <dt>{nameOfLine(what)}</dt>
          <dd className="money">{kshOfCents(cents)}</dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{mpesa?.allAccounts ? msg(str`M-Pesa holds, as it said ${time(mpesa.at)}`) : msg("M-Pesa should hold, by the books")}</dt>
        <dd className="money">{mpesa?.allAccounts ? kshOfCents(mpesa.cents) : ksh(booked)}</dd>
      </div>
    </dl>
    {!mpesa && <p className="quiet small">{msg("M-Pesa did not say what it holds.")}</p>}
    {mpesa && !mpesa.allAccounts && (
      <p className="quiet small">{msg(str`The account that withdrawals are paid from holds ${kshOfCents(mpesa.cents)}, as M-Pesa said ${time(mpesa.at)}. Players pay into another one, which is not in this figure.`)}</p>
    )}
  </>
);

const Gameweek = ({ gameweek: week }: { gameweek: TrustGameweek }) => (
  <details className={styles.details}>
    <summary>
      {week.settled
        ? msg(str`Gameweek ${week.gameweek}: ${week.entries} entries, ${ksh(week.prizes)} in prizes`)
        : msg(str`Gameweek ${week.gameweek}: ${week.entries} entries, not all prizes paid yet`)}
    </summary>
    <dl className={styles.facts}>
      {[
        { name: msg("Staked"), value: ksh(week.staked) },
        { name: msg("Prizes"), value: ksh(week.prizes) },
        { name: msg("Fees"), value: ksh(week.fees) },
        ...(week.rounding === 0 ? [] : [{ name: msg("Does not divide, stays here"), value: ksh(week.rounding) }]),
        ...(week.settled ? [] : [{ name: msg("Paid out"), value: msg("Not all of it yet") }]),
        ...(week.medianPayoutMinutes
          ? [{ name: msg("Half of the withdrawals were paid within"), value: ageOf(week.medianPayoutMinutes * 60_000) }]
          : []),
      ].map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </details>
);

const Draws = ({ trust: { draws } }: { trust: Trust }) =>
  draws.length === 0 ? null : (
    <Card title={msg("The last draws")}>
      <p>{msg("Anybody can check a draw, with this product’s source and this command:")}</p>
      {draws.map(({ gameweek, command }) => (
        <div key={gameweek}>
          <p className={styles.hash}>{command}</p>
          <CopyButton text={command} label={msg(str`Copy the command for gameweek ${gameweek}`)} />
        </div>
      ))}
    </Card>
  );

const Roots = ({ trust: { root, formerRoots } }: { trust: Trust }) => (
  <Card title={msg("Is your money in the sum?")}>
    <p>{msg("All wallets are the leaves of a tree of sums. Its root is published here each night, and each player can be shown the way of their own wallet to it. That proves that a balance is in the sum above. It does not prove that the money is at M-Pesa, nor that nobody was left out: only who checks can tell.")}</p>
    {root ? <RootFacts root={root} /> : <p>{msg("No root is published of this reading.")}</p>}
    {formerRoots.length > 0 && (
      <details className={styles.details}>
        <summary>{msg("Roots of former readings")}</summary>
        {formerRoots.map((former) => (
          <RootFacts key={former.asOf} root={former} />
        ))}
      </details>
    )}
  </Card>
);

const RootFacts = ({ root }: { root: Root }) => (
  <>
    <p className="quiet small">{msg(str`${time(root.asOf)}: ${ksh(root.sum)} in ${root.wallets} wallets`)}</p>
    <p className={styles.hash}>{root.hash}</p>
  </>
);
