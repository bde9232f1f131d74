import { Badge } from "@aws-amplify/ui-react";
import type { Ranked } from "./ranking";

type Props = { state: string; members: readonly Ranked[] };

/** What a group's figures are worth, in words and to the eye. */
export function StateBadge({ state, members }: Props) {
  if (state === "provisional") return <Badge variation="warning">provisional · {members.length} of 10</Badge>;
  if (state === "settled") return <Badge variation="success">final · paid</Badge>;
  if (members.length > 0 && members.every((member) => member.final)) return <Badge variation="success">final</Badge>;
  if (members.some((member) => member.points !== null)) return <Badge variation="info">live</Badge>;
  return <Badge>drawn</Badge>;
}
