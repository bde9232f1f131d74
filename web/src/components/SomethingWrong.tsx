import { Link } from "react-router";
import { msg } from "../lib/i18n";

type Props = {
  /** What a case can be about, and what that is called in the player's own lists. */
  kind: "payment" | "withdrawal" | "league" | "entry";
  id: string;
};

/** Leads from a thing of the player's own to telling us what is wrong with it. */
export const SomethingWrong = ({ kind, id }: Props) => (
  <Link className="link-row small" to={`/cases?${new URLSearchParams({ kind, id }).toString()}`}>
    {msg("Something is wrong?")}
  </Link>
);
