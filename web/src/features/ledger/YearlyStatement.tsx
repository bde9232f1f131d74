import "./kit.css";
import { Button, SelectField } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../components/Card";
import { ErrorState } from "../../components/ErrorState";
import { Skeleton } from "../../components/Skeleton";
import { ksh, signedKsh } from "../../lib/money";
import { plural } from "../../lib/plural";
import { eastAfricaTime } from "../../lib/time";
import { statementQuery, type Statement } from "./statement";
import styles from "./YearlyStatement.module.css";
import { msg, str } from "../../lib/i18n";

/** So many years can be chosen. */
const YEARS = 5;

/** What went into the wallet and out of it in a year: to read, and to print. */
export function YearlyStatement() {
  const [year, setYear] = useState<number | null>(null);
  const { data, isError, refetch } = useQuery(statementQuery(year));
  const [latest, setLatest] = useState<number | null>(null);
  if (data && year === null && latest !== data.year) setLatest(data.year);
  return (
    <>
      {latest !== null && (
        <SelectField
          className={styles.controls ?? ""}
          label={msg("Year")}
          value={String(year ?? latest)}
          onChange={(event) => setYear(Number(event.target.value))}
        >
          {Array.from({ length: YEARS }, (_, back) => latest - back).map((of) => (
            <option key={of} value={of}>
              {of}
            </option>
          ))}
        </SelectField>
      )}
      {data && <Year statement={data} />}
      {!data && isError && <ErrorState text={msg("Your statement could not be read just now.")} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton height="20rem" />}
    </>
  );
}

const Year = ({ statement }: { statement: Statement }) => (
  <Card title={msg(str`${statement.username}, ${statement.year}`)}>
    <p className="quiet small">{msg(str`As of ${eastAfricaTime(new Date(statement.asOf))}. A year is from midnight to midnight in Kenya.`)}</p>
    <table className={styles.lines}>
      <tbody>
        {linesOf(statement).map(({ name, amount }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {statement.withheld !== 0 && (
      <p>{msg(str`Of what was taken out, ${ksh(statement.withheld)} was kept back as withholding tax.`)}</p>
    )}
    <p className="quiet small">{msg("Ask the Kenya Revenue Authority or an adviser what you have to declare.")}</p>
    <Button className={styles.controls ?? ""} onClick={() => print()}>{msg("Print")}</Button>
  </Card>
);

function linesOf(statement: Statement) {
  const moved = [
    { name: msg("Paid in by M-Pesa"), kes: statement.paidIn, always: true },
    { name: msg("Excise duty on what was paid in"), kes: statement.excise, always: false },
    { name: plural(statement.entries, msg(str`Staked, in ${statement.entries} entry`), msg(str`Staked, in ${statement.entries} entries`)), kes: statement.staked, always: true },
    { name: msg("Entries given back"), kes: statement.givenBack, always: false },
    { name: msg("Won"), kes: statement.won, always: true },
    { name: msg("Taken out, less what came back"), kes: statement.takenOut, always: true },
    { name: msg("Taken back by M-Pesa"), kes: statement.reversed, always: false },
    { name: msg("Of that, not in the wallet any more: you owe it, or we bear it"), kes: statement.notCovered, always: false },
    { name: msg("Corrected"), kes: statement.corrected, always: false },
    { name: msg("Debts paid"), kes: statement.debtsPaid, always: false },
  ];
  return [
    { name: msg("In the wallet as the year began"), amount: ksh(statement.opening) },
    ...moved.filter(({ kes, always }) => always || kes !== 0).map(({ name, kes }) => ({ name, amount: signedKsh(kes) })),
    { name: msg("In the wallet at the end"), amount: ksh(statement.closing) },
  ];
}
