import { Badge } from "@aws-amplify/ui-react";
import type { League } from "./queries";
import type { Ranked } from "./ranking";

type Props = { league: League; members: readonly Ranked[] };

/** What a group's figures are worth, in words and to the eye. */
export function StateBadge({ league: { state, status }, members }: Props) {
  if (state === "provisional") return <Badge variation="warning">provisional · {members.length} of 10</Badge>;
  if (state === "settled") return <Badge variation="success">final · paid</Badge>;
  if (status === "final" || (members.length > 0 && members.every((member) => member.final))) {
    return <Badge variation="success">final</Badge>;
  }
  if (status === "provisional") return <Badge variation="warning">points provisional</Badge>;
  if (status === "live" || members.some((member) => member.points !== null)) return <Badge variation="info">live</Badge>;
  return <Badge>drawn</Badge>;
}
