import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { userQuery } from "../../api/queries";
import { useExcise } from "../../api/use-excise";
import { ErrorState } from "../../components/ErrorState";
import { ExciseRate } from "../../components/ExciseRate";
import { PaybillAccount } from "../../components/PaybillAccount";
import styles from "./TypedCodeDialog.module.css";
import { msg } from "../../lib/i18n";

/** Where money is sent by hand, and what M-Pesa asks for on the way. */
export function Paybill() {
  const { data: user, isError, refetch } = useQuery(userQuery);
  const percent = useExcise();
  if (isError && !user) {
    return <ErrorState text={msg("Your paybill account could not be read just now.")} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <ol className={styles.steps}>
        <li>
          {msg("In M-Pesa choose Lipa na M-Pesa, then Pay Bill, and enter:")}
          <PaybillAccount paybill={user?.paybill} />
        </li>
        <li>{msg("Enter the amount and your PIN.")}</li>
        <li>{msg("The money comes to your wallet by itself, mostly within a minute.")}</li>
      </ol>
      <ExciseRate percent={percent} />
      <p className="small">
        {msg("Sent it to a wrong account, or it has not come? Type the code from M-Pesa’s message here: it finds the money.")}{" "}
        <Link to="/contact">{msg("More help with M-Pesa")}</Link>
      </p>
    </>
  );
}
