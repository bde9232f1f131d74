import { Link } from "react-router";
import { useList } from "../../../api/list";
import { Card } from "../../../components/Card";
import { ListRows } from "../../../components/Rows";
import styles from "../../../panel/Panel.module.css";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { aboutOf, stateInWords, waitingCasesQuery, type WaitingCase } from "./cases";

const idOf = ({ _id }: WaitingCase) => _id;

/** What players say is wrong, as long as it is not closed. */
export function CaseList() {
  const list = useList(waitingCasesQuery, idOf);
  return (
    <Card title="Something is wrong" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      {list.stale && <Stale />}
      <ListRows
        list={list}
        unread="The cases could not be read just now."
        empty="No open cases."
        id={idOf}
      >
        {(one) => (
          <div className={styles.what}>
            <p className={styles.name}>
              <Link className="link-row" to={`/panel/cases/${one._id}`}>{aboutOf(one)}</Link>
            </p>
            <p>
              <Link className="link-row" to={`/panel/players/${one.userId}`}>{one.username}</Link>
            </p>
            <p className={one.state === "open" ? styles.warning : "quiet small"}>{stateInWords(one)}</p>
          </div>
        )}
      </ListRows>
    </Card>
  );
}
