import type { Schemas } from "../../api/client";
import { ksh } from "../../lib/money";

/** What is known of one amount this gameweek: entries so far, and a full league's prize in KES. */
export type Offer = Schemas["AmountStatus"];

type Props = { offer: Offer; feePercent: number | undefined };

/** What can be won with an entry, before it is paid. */
export const Prize = ({ offer: { fullLeaguePrize, entries }, feePercent }: Props) => (
  <>
    <span>
      {ksh(fullLeaguePrize)} if the league fills
      {feePercent !== undefined && `; it pays ${100 - feePercent} % of what it collects`}.
    </span>{" "}
    <span className="money">{entries} joined.</span>
  </>
);
