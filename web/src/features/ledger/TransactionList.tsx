import { useList } from "../../api/list";
import { answerInWords } from "../../api/refusal";
import { Card } from "../../components/Card";
import { Empty } from "../../components/Empty";
import { ListRows } from "../../components/Rows";
import { SomethingWrong } from "../../components/SomethingWrong";
import { ksh, signedKsh } from "../../lib/money";
import { nameOfPosting } from "../../lib/postings";
import { taxOfMovement } from "../../lib/tax";
import { eastAfricaTime } from "../../lib/time";
import { aboutOf, isGivenBack, transactionsQuery, type Transaction } from "./transactions";
import styles from "./TransactionList.module.css";
import { msg, str } from "../../lib/i18n";

const idOf = (transaction: Transaction) => transaction._id;

/** Every movement of the wallet, newest first, with the balance after it and M-Pesa's receipt. */
export function TransactionList() {
  const list = useList(transactionsQuery, idOf);
  return (
    <Card title={msg("Movements of your wallet")}>
      <ListRows
        list={list}
        unread={msg("Your transactions could not be read just now.")}
        empty={
          <Empty
            text={msg("No money has moved yet.")}
            more={msg("What you pay in, stake, win and withdraw is listed here, with the receipts of M-Pesa.")}
            to="/payment"
            go={msg("To your wallet")}
          />
        }
        id={idOf}
      >
        {(transaction) => <Row transaction={transaction} givenBack={isGivenBack(transaction, list.items ?? [])} />}
      </ListRows>
    </Card>
  );
}

const Row = ({ transaction, givenBack }: { transaction: Transaction; givenBack: boolean }) => {
  const { _id, kind, at, receipt, note, tax, amount, balanceAfter } = transaction;
  const taxed = givenBack ? null : taxOfMovement(kind, amount, tax);
  return (
    <>
      <p className={styles.what}>
        <span className={styles.name}>{nameOfPosting(kind)}</span>
        <span className="quiet small">{eastAfricaTime(new Date(at))}</span>
        {receipt && <span className="quiet small">{msg(str`Receipt ${receipt}`)}</span>}
        {taxed && <span className="quiet small">{taxed}</span>}
        {note && <span className="quiet small">{answerInWords(note)}</span>}
      </p>
      <p className={styles.amounts}>
        <span className={`money ${styles.amount} ${amount > 0 ? styles.in : ""}`}>{signedKsh(amount)}</span>
        <span className="quiet small">
          {msg("Balance")} <span className="money">{ksh(balanceAfter)}</span>
        </span>
      </p>
      <SomethingWrong {...aboutOf(_id)} />
    </>
  );
};
