import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "../../api/queries";
import { ErrorState } from "../../components/ErrorState";
import { Skeleton } from "../../components/Skeleton";
import styles from "./TopUpDialog.module.css";

/** Where money is sent by hand, and what M-Pesa asks for on the way. */
export function Paybill() {
  const { data: settings, isError, refetch } = useQuery(settingsQuery);
  if (isError && !settings) {
    return <ErrorState text="The paybill number could not be read just now." onRetry={() => void refetch()} />;
  }
  return (
    <ol className={styles.steps}>
      <li>
        In M-Pesa choose Lipa na M-Pesa, then Pay Bill, and enter:
        <dl className={styles.paybill}>
          <div>
            <dt>Business number</dt>
            <dd>{settings?.paybillNumber ?? <Skeleton width="5rem" />}</dd>
          </div>
          <div>
            <dt>Account number</dt>
            <dd>{settings?.accountReference ?? <Skeleton width="7rem" />}</dd>
          </div>
        </dl>
      </li>
      <li>Enter the amount and your PIN.</li>
      <li>Type the code from M-Pesa's message here.</li>
    </ol>
  );
}
