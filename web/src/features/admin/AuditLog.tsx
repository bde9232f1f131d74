import "../../panel/kit.css";
import { Button, SelectField } from "@aws-amplify/ui-react";
import { useState } from "react";
import { Link } from "react-router";
import { useList } from "../../api/list";
import { Card } from "../../components/Card";
import { ListRows } from "../../components/Rows";
import styles from "../../panel/Panel.module.css";
import { RefreshButton } from "../../panel/RefreshButton";
import { Stale } from "../../panel/Stale";
import { useTimeOfYears } from "../../panel/use-time-of-years";
import { auditId, auditQuery, auditTable, changeOf, headlineOf, nameOfActor, type AuditItem } from "./audit";
import { monthName, monthsUntil, useToday } from "./days";
import { TableProgress } from "./TableProgress";
import { useTable } from "./use-table";

/** So far back the list can be looked through. */
const MONTHS = 24;

/** Who did what, month by month: it is only ever added to. */
export function AuditLog() {
  const { utc: today } = useToday();
  const [chosen, setChosen] = useState<string>();
  const months = today ? monthsUntil(today, MONTHS) : [];
  const month = chosen ?? months[0];
  const list = useList(auditQuery(month), auditId);
  const table = useTable();

  return (
    <Card title="Audit log" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      <SelectField label="Month (UTC)" value={month ?? ""} onChange={(event) => setChosen(event.target.value)}>
        {months.length === 0 && <option value="">This month</option>}
        {months.map((value) => (
          <option key={value} value={value}>
            {monthName(value)}
          </option>
        ))}
      </SelectField>
      <Button isDisabled={!month || table.busy} onClick={() => month && table.start(auditTable(month))}>
        Download this month as CSV
      </Button>
      <TableProgress table={table} />
      {list.stale && <Stale />}
      <ListRows
        list={list}
        unread="The audit log could not be read just now."
        empty="Nothing was done by hand in this month."
        id={auditId}
      >
        {(act) => (
          <div className={styles.what}>
            <Act act={act} />
            {act.userId && (
              <p className="small">
                <Link to={`/panel/players/${act.userId}`}>Player {act.userId}</Link>
              </p>
            )}
          </div>
        )}
      </ListRows>
    </Card>
  );
}

export function Act({ act }: { act: AuditItem }) {
  const at = useTimeOfYears();
  const change = changeOf(act);
  return (
    <div className={styles.what}>
      <p className={styles.name}>{headlineOf(act)}</p>
      <p className="small">{act.on}</p>
      {change && <p className="small">{change}</p>}
      {act.reason && <p className="small">“{act.reason}”</p>}
      <p className="quiet small">
        {nameOfActor(act)} · {at(act.at)}
      </p>
    </div>
  );
}
