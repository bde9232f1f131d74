import { Approvals } from "../features/admin/Approvals";
import styles from "./Panel.module.css";

/** What waits for a second admin. */
export const PanelApprovals = () => (
  <div className={styles.sections}>
    <Approvals />
  </div>
);
