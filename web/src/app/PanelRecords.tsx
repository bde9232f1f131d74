import { AuditLog } from "../features/panel/AuditLog";
import { Exports } from "../features/panel/Exports";
import styles from "./Panel.module.css";

/** What was done, and tables to take away. */
export const PanelRecords = () => (
  <div className={styles.sections}>
    <AuditLog />
    <Exports />
  </div>
);
