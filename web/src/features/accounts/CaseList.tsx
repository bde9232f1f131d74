import { Link } from "react-router";
import { useList } from "../../api/list";
import { Card } from "../../components/Card";
import { ListRows } from "../../components/Rows";
import { msg } from "../../lib/i18n";
import { eastAfricaTime } from "../../lib/time";
import { casesQuery, stateOf, titleOf, type Case } from "./cases";
import styles from "./Cases.module.css";

const idOf = ({ _id }: Case) => _id;

/** What a player has told us, and how far each is. */
export function CaseList() {
  const list = useList(casesQuery, idOf);
  return (
    <Card title={msg("What you told us")}>
      <ListRows
        list={list}
        unread={msg("Your cases could not be read just now.")}
        empty={msg("Nothing yet. Beside each payment, withdrawal, league and entry of yours you can tell us what is wrong with it.")}
        id={idOf}
      >
        {(one) => (
          <p className={styles.what}>
            <Link className="link-row" to={`/cases/${one._id}`}>{titleOf(one)}</Link>
            <b>{stateOf(one)}</b>
            <span className="quiet small">{eastAfricaTime(new Date(one.since))}</span>
          </p>
        )}
      </ListRows>
    </Card>
  );
}
