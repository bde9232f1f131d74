import { BooksReport } from "../features/ledger/panel/BooksReport";
import styles from "./Panel.module.css";

/** What the money says. */
export const PanelBooks = () => (
  <div className={styles.sections}>
    <BooksReport />
  </div>
);
