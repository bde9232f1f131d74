import { msg, str } from "../lib/i18n";

/** Said where money is paid by hand: what of it does not come to the wallet. */
export const ExciseRate = ({ percent }: { percent: number | null }) =>
  percent ? <p className="small">{msg(str`Of what you pay in, ${percent} % is excise duty.`)}</p> : null;
