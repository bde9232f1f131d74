import { AuditLog } from "../features/admin/AuditLog";
import { ExportForm } from "../features/admin/ExportForm";
import styles from "./Panel.module.css";

/** What was done, and tables to take away. */
export const PanelRecords = () => (
  <div className={styles.sections}>
    <AuditLog />
    <ExportForm />
  </div>
);
