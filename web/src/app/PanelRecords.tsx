import { AuditLog } from "../features/admin/AuditLog";
import { Exports } from "../features/admin/Exports";
import styles from "./Panel.module.css";

/** What was done, and tables to take away. */
export const PanelRecords = () => (
  <div className={styles.sections}>
    <AuditLog />
    <Exports />
  </div>
);
