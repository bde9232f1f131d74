import { Link, useParams } from "react-router";
import { CaseAnswer } from "../features/accounts/panel/CaseAnswer";
import { CaseList } from "../features/accounts/panel/CaseList";
import styles from "./Panel.module.css";

/** What players say is wrong, and one of these cases with its thread. */
export function PanelCases() {
  const { id } = useParams();
  if (!id) return <CaseList />;
  return (
    <>
      <p>
        <Link className="link-row" to="/panel/cases">
          All open cases
        </Link>
      </p>
      <div className={styles.sections}>
        <CaseAnswer key={id} id={id} />
      </div>
    </>
  );
}
