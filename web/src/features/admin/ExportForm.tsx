import "../../panel/kit.css";
import { Button, SelectField } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Card } from "../../components/Card";
import { Field } from "../../components/Field";
import { errorOf } from "../../lib/parsed";
import styles from "../../panel/Panel.module.css";
import { shareOf, useToday } from "./days";
import { exportOf, isTableName, readDay, readLastDay, TABLE_NAMES, TABLES, type TableName } from "./exports";
import { TableProgress } from "./TableProgress";
import { useTable } from "./use-table";

const ABOUT: Record<TableName, string> = {
  postings: "Every movement of money, oldest first.",
  withdrawals: "By when they were asked for, oldest first.",
  payments: "By when they were sent, oldest first.",
  taxes:
    "What was kept back of withdrawals, by when they were paid, and taken of deposits, by when they were credited, oldest first, with the month of Kenya.",
};

/** Tables for a spreadsheet: asked for page by page, put together here, and saved as one file. */
export function ExportForm() {
  const { kenya: today } = useToday();
  const [what, setWhat] = useState<TableName>("postings");
  const [typedFrom, setFrom] = useState<string>();
  const [typedTo, setTo] = useState<string>();
  const [tried, setTried] = useState(false);
  const table = useTable();

  const from = typedFrom ?? (today ? `${today.slice(0, 7)}-01` : "");
  const to = typedTo ?? today ?? "";
  const first = readDay(from);
  const last = readLastDay(to, first);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (first.ok && last.ok) table.start(exportOf(what, first.value, last.value));
  };

  return (
    <Card title="Exports">
      <form className="form" onSubmit={onSubmit} noValidate aria-label="Export">
        <SelectField
          label="Table"
          value={what}
          onChange={({ target }) => isTableName(target.value) && setWhat(target.value)}
        >
          {TABLE_NAMES.map((name) => (
            <option key={name} value={name}>
              {TABLES[name]}
            </option>
          ))}
        </SelectField>
        <div className={styles.period}>
          <Field
            label="First day (Kenya)"
            value={from}
            onChange={setFrom}
            error={tried ? errorOf(first) : undefined}
            input={{ type: "date", name: "from" }}
          />
          <Field
            label="Last day (Kenya)"
            value={to}
            onChange={setTo}
            error={tried ? errorOf(last) : undefined}
            input={{ type: "date", name: "to" }}
          />
        </div>
        <p className="quiet small">{ABOUT[what]} What happened a moment ago may be missing: where sums have to be complete, end with a day that is over.</p>
        <Button type="submit" isDisabled={table.busy}>
          Download CSV
        </Button>
      </form>
      <TableProgress table={table} percent={(day) => shareOf(from, to, day)} />
    </Card>
  );
}
