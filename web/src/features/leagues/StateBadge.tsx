import { Badge } from "@aws-amplify/ui-react";
import type { League } from "./leagues";
import type { Ranked } from "./ranking";
import { msg, str } from "../../lib/i18n";

type Props = { league: League; members: readonly Ranked[] };

/** What a group's figures are worth, in words and to the eye. */
export function StateBadge({ league: { state, status }, members }: Props) {
  if (state === "provisional") return <Badge variation="warning">{msg(str`provisional · ${members.length} of 10`)}</Badge>;
  if (state === "settled" && members.length > 0 && members.every(({ refund }) => refund)) return <Badge variation="info">{msg("entries given back")}</Badge>;
  if (state === "settled") return <Badge variation="success">{msg("final · paid")}</Badge>;
  if (status === "final" || (members.length > 0 && members.every((member) => member.final))) {
    return <Badge variation="success">{msg("final · not paid yet")}</Badge>;
  }
  if (status === "provisional") return <Badge variation="warning">{msg("points provisional")}</Badge>;
  if (status === "live" || members.some((member) => member.points !== null)) return <Badge variation="info">{msg("live")}</Badge>;
  return <Badge>{msg("drawn")}</Badge>;
}
