import { Button } from "@aws-amplify/ui-react";
import { useNavigate } from "react-router";
import { Card } from "../components/Card";
import { AsItIsNow } from "../features/entries/AsItIsNow";
import type { Gameweek } from "../features/gameweeks/use-gameweek";
import { msg } from "../lib/i18n";

export function GuestInvitation({ gameweek: { status, open, isError } }: { gameweek: Gameweek }) {
  const navigate = useNavigate();
  return (
    <Card title={msg("Want to Join a League?")}>
      <p className="quiet">{msg("Guests can read the rules. Log in to pay an entry and play.")}</p>
      <Button variation="primary" onClick={() => void navigate("/")}>{msg("Log in to Join League")}</Button>
      {(open || (!status && !isError)) && <AsItIsNow offers={status?.amounts} feePercent={status?.feePercent} />}
    </Card>
  );
}
