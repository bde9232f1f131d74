import { Link } from "react-router";
import type { Schemas } from "../../../api/client";
import { creditedBy, nameOf, takenBack } from "./credited-by";

type Props = { posting: string; to: Schemas["CreditedTo"] | null | undefined };

/** What credited a receipt, and to whom, with the way to that player: `a prompt, to otieno`. */
export const CreditedBy = ({ posting, to }: Props) => (
  <>
    {creditedBy(posting)}
    {to && ", to "}
    {to && (to.username ? <Link to={`/panel/players/${to.userId}`}>{to.username}</Link> : nameOf(to))}
    {to && takenBack(to)}
  </>
);
