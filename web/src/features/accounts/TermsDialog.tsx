import { Button } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { userQuery } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { rich } from "../../components/rich";
import { msg } from "../../lib/i18n";
import { useSubmit } from "../../lib/use-submit";
import { agree, hasAgreed } from "./terms";

/** Asks a player who has not agreed to the terms in force. `quiet`: something else is asked just now. */
export function TermsDialog({ quiet }: { quiet: boolean }) {
  const client = useQueryClient();
  const { data: user } = useQuery(userQuery);
  const [later, setLater] = useState(false);
  const [error, setError] = useState<string>();
  const { busy, submit } = useSubmit();
  if (!user || user.role !== "player" || hasAgreed(user.terms)) return null;
  const { agreed, current } = user.terms;
  const changed = agreed.length > 0;

  return (
    <Dialog open={!later && !quiet} title={changed ? msg("Our terms have changed") : msg("Our terms")} busy={busy} onClose={() => setLater(true)}>
      <p>
        {rich(
          changed
            ? msg("Please read the [new terms], and agree to them before you enter or deposit.")
            : msg("Please read our [terms], and agree to them before you enter or deposit."),
          (name) => <Link to={`/terms/${current}`}>{name}</Link>,
        )}
      </p>
      <p className="quiet">{msg("You can withdraw in any case.")}</p>
      {error !== undefined && <Notice tone="error">{error}</Notice>}
      <div className="actions">
        <Button isDisabled={busy} onClick={() => setLater(true)}>{msg("Not now")}</Button>
        <Button variation="primary" isDisabled={busy} onClick={() => void submit(async () => setError(await agree(client, current)))}>
          {msg("I agree")}
        </Button>
      </div>
    </Dialog>
  );
}
