import { SecondFactor } from "../features/accounts/panel/SecondFactor";
import styles from "./Panel.module.css";

/** The admin's own log-in. */
export const PanelSecurity = () => (
  <div className={styles.sections}>
    <SecondFactor />
  </div>
);
