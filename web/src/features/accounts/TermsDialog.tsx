import { Button } from "@aws-amplify/ui-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { rich } from "../../components/rich";
import { msg } from "../../lib/i18n";
import { useSubmit } from "../../lib/use-submit";
import { NewerTerms } from "./NewerTerms";
import { agree } from "./terms";
import { isVersion } from "./terms-versions";

type Props = { open: boolean; terms: Schemas["Terms"]; onLater: () => void };

/** Asks a player who has not agreed to the terms in force. */
export function TermsDialog({ open, terms: { agreed, current }, onLater }: Props) {
  const client = useQueryClient();
  const [error, setError] = useState<string>();
  const { busy, submit } = useSubmit();
  const changed = agreed.length > 0;

  return (
    <Dialog open={open} title={changed ? msg("Our terms have changed") : msg("Our terms")} busy={busy} onClose={onLater}>
      {isVersion(current) ? (
        <p>
          {rich(
            changed
              ? msg("Please read the [new terms], and agree to them before you enter or deposit.")
              : msg("Please read our [terms], and agree to them before you enter or deposit."),
            (name) => <Link to={`/terms/${current}`}>{name}</Link>,
          )}
        </p>
      ) : (
        <NewerTerms />
      )}
      <p className="quiet">{msg("You can withdraw in any case.")}</p>
      {error !== undefined && <Notice tone="error">{error}</Notice>}
      <div className="actions">
        <Button isDisabled={busy} onClick={onLater}>{msg("Not now")}</Button>
        {isVersion(current) && (
          <Button variation="primary" isDisabled={busy} onClick={() => void submit(async () => setError(await agree(client, current)))}>
            {msg("I agree")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
