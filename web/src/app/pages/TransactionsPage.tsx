import { Transactions } from "../../features/transactions/Transactions";
import { Own } from "../Own";

export const TransactionsPage = () => (
  <Own title="Transactions">
    <Transactions />
  </Own>
);
