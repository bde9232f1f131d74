import { Link } from "react-router";
import styles from "./Empty.module.css";

type Props = {
  text: string;
  /** What will be here. */
  more?: string;
  /** Where to go from here, and what is there. */
  to?: string;
  go?: string;
};

/** What stands where nothing is yet: that, what will be here, and the way to it. */
export const Empty = ({ text, more, to, go }: Props) => (
  <div className={styles.empty}>
    <p>{text}</p>
    {more && <p className="quiet small">{more}</p>}
    {to && <Link className="link-row" to={to}>{go}</Link>}
  </div>
);
