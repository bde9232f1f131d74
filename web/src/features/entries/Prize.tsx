import type { Schemas } from "../../api/client";
import { ksh } from "../../lib/money";
import { projection } from "../../lib/projection";

/** What is known of one amount this gameweek: entries so far, and a full league's prize in KES. */
export type Offer = Schemas["AmountStatus"];

type Props = { offer: Offer; feePercent: number | undefined };

/** What can be won with an entry, before it is paid. */
export const Prize = ({ offer, feePercent }: Props) => (
  <>
    <span>
      {ksh(offer.fullLeaguePrize)} if the league fills
      {feePercent !== undefined && `; it pays ${100 - feePercent} % of what it collects`}.
    </span>{" "}
    {feePercent === undefined ? <span className="money">{offer.entries} joined.</span> : <span>{projection(offer, feePercent)}</span>}
  </>
);
