import { useQuery } from "@tanstack/react-query";
import { useList } from "../../api/list";
import { gameweekStatusQuery } from "../../api/queries";
import { answerInWords } from "../../api/refusal";
import { Card } from "../../components/Card";
import { Empty } from "../../components/Empty";
import { ListRows } from "../../components/Rows";
import { SomethingWrong } from "../../components/SomethingWrong";
import { productNow } from "../../lib/clock";
import { ksh } from "../../lib/money";
import { taxInWords } from "../../lib/tax";
import { eastAfricaTime } from "../../lib/time";
import { isGivenBack, stateOf, waitOf, withdrawalsQuery, type Withdrawal } from "./withdrawals";
import styles from "./WithdrawalList.module.css";
import { msg, str } from "../../lib/i18n";

const idOf = (withdrawal: Withdrawal) => withdrawal._id;

/** What a player asked to have paid out, and how far each request is. */
export function WithdrawalList() {
  const list = useList(withdrawalsQuery, idOf);
  return (
    <Card title={msg("Requests, newest first")}>
      <ListRows
        list={list}
        unread={msg("Your withdrawals could not be read just now.")}
        empty={
          <Empty
            text={msg("You have not withdrawn anything yet.")}
            more={msg("To withdraw, open Profile on the main page. Then you see here how far your money is.")}
            to="/payment"
            go={msg("To your wallet")}
          />
        }
        id={idOf}
      >
        {(withdrawal) => <Row withdrawal={withdrawal} />}
      </ListRows>
    </Card>
  );
}

const Row = ({ withdrawal }: { withdrawal: Withdrawal }) => {
  const { _id, amount, mpesaNumber, createdAt, status, reason, receipt } = withdrawal;
  const { data: gameweek } = useQuery(gameweekStatusQuery);
  const wait = waitOf(withdrawal, gameweek ? productNow(gameweek.clock) : null);
  const tax = isGivenBack(withdrawal) ? null : taxInWords(amount, withdrawal.tax);
  return (
    <>
      <p className={styles.what}>
        <b className="money">{ksh(amount)}</b>
        <span className="quiet small">
          {msg("to")} <span className="money">{mpesaNumber}</span> · {eastAfricaTime(new Date(createdAt))}
        </span>
      </p>
      <p className={styles.state} data-status={status}>
        {stateOf(withdrawal)}
        {tax && <span className="quiet small">{tax}</span>}
        {wait && <span className="quiet small">{wait}</span>}
        {reason && <span className="quiet small">{answerInWords(reason)}</span>}
        {receipt && <span className="quiet small">{msg(str`Receipt ${receipt}`)}</span>}
      </p>
      <SomethingWrong kind="withdrawal" id={_id} />
    </>
  );
};
