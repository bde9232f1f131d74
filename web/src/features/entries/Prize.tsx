import type { Schemas } from "../../api/client";
import { ksh } from "../../lib/money";
import { projection } from "../../lib/projection";
import { msg, str } from "../../lib/i18n";

/** What is known of one amount this gameweek: entries so far, and a full league's prize in KES. */
export type Offer = Schemas["AmountStatus"];

/** `open`: an entry can be made. */
type Props = { offer: Offer; feePercent: number | undefined; open: boolean };

/** What can be won with an entry, before it is paid; where none can be made, what the draw makes of those there are. */
export const Prize = ({ offer, feePercent, open }: Props) => (
  <>
    {open && <Full offer={offer} feePercent={feePercent} />}
    {feePercent === undefined ? (
      <span className="money">{msg(str`${offer.entries} joined.`)}</span>
    ) : (
      <span>{projection(offer, feePercent, open)}</span>
    )}
  </>
);

const Full = ({ offer, feePercent }: Omit<Props, "open">) => (
  <>
    <span>
      {feePercent === undefined
        ? msg(str`${ksh(offer.fullLeaguePrize)} if the league fills.`)
        : msg(str`${ksh(offer.fullLeaguePrize)} if the league fills; it pays ${100 - feePercent} % of what it collects.`)}
    </span>{" "}
  </>
);
