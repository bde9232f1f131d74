import "../../../panel/kit.css";
import { SelectField } from "@aws-amplify/ui-react";
import { useState } from "react";
import { Card } from "../../../components/Card";
import { dayName } from "../../../lib/time";
import { balance, lastDays, type BooksDay } from "./books";
import styles from "./Books.module.css";
import { DaysChart } from "./DaysChart";

const SPANS = [14, 30, 90] as const;
const COLUMNS = ["deposits", "entries", "prizes", "fees", "withdrawals", "refunds", "rounding"] as const;
const NAMES: Record<(typeof COLUMNS)[number], string> = {
  deposits: "Deposits",
  entries: "Entries",
  prizes: "Prizes",
  fees: "Fees",
  withdrawals: "Withdrawals",
  refunds: "Refunds",
  rounding: "Undivided",
};

/** A picture of what moved by day, and the figures that it is made of. */
export function MoneyByDay({ days }: { days: readonly BooksDay[] }) {
  const [span, setSpan] = useState<number>(SPANS[1]);
  const shown = lastDays(days, span);
  if (shown.length === 0) {
    return (
      <Card title="By day">
        <p className="quiet">No money has moved yet.</p>
      </Card>
    );
  }
  return (
    <Card title="By day">
      <SelectField label="How many days" value={String(span)} onChange={({ target }) => setSpan(Number(target.value))}>
        {SPANS.map((count) => (
          <option key={count} value={count}>
            The last {count} days
          </option>
        ))}
      </SelectField>
      <DaysChart days={shown} />
      <p className="quiet small">In KSh, by Kenya’s days, newest first; days without a movement are left out. What M-Pesa corrects of a payout counts on the day on which it does.</p>
      <DaysTable days={shown.filter((day) => COLUMNS.some((column) => day[column] !== 0)).reverse()} />
    </Card>
  );
}

/** Days on which something moved, newest first. */
const DaysTable = ({ days }: { days: readonly BooksDay[] }) => (
  // It scrolls sideways on a phone: the keyboard has to reach it.
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={styles.scroll} role="region" aria-label="Figures by day" tabIndex={0}>
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {NAMES[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">{dayName(day.day)}</th>
            {COLUMNS.map((column) => (
              <td key={column}>{balance(day[column]).replace("KSh ", "")}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
