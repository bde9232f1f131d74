import { ApprovalList } from "../features/admin/ApprovalList";
import styles from "./Panel.module.css";

/** What waits for a second admin. */
export const PanelApprovals = () => (
  <div className={styles.sections}>
    <ApprovalList />
  </div>
);
