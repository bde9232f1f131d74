import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { userQuery } from "../api/queries";
import { Notice } from "../components/Notice";
import { TermsDialog } from "../features/accounts/TermsDialog";
import { mustAgree } from "../features/accounts/terms";
import { WinNews } from "../features/entries/WinNews";
import { msg } from "../lib/i18n";

type Props = {
  /** Something else is asked of the player now. */
  quiet: boolean;
  /** The terms do not open by themselves: where nothing may be entered before, they are named and can be opened. */
  unasked?: boolean;
  onWithdraw: () => void;
};

/** What opens by itself, one after the other: the terms to agree to, then a win. Terms put off can be opened again. */
export function Greetings({ quiet, unasked = false, onWithdraw }: Props) {
  const { data: user } = useQuery(userQuery);
  const [later, setLater] = useState(unasked);
  const asks = user !== undefined && mustAgree(user);
  return (
    <>
      {asks && later && user.terms.required && (
        <Notice tone="info">
          {msg("Please agree to our terms first. Until you have, you can withdraw, but not enter or deposit.")}{" "}
          <Button size="small" onClick={() => setLater(false)}>{msg("Our terms")}</Button>
        </Notice>
      )}
      {asks && <TermsDialog open={!later && !quiet} terms={user.terms} onLater={() => setLater(true)} />}
      <WinNews quiet={quiet || user === undefined || (asks && !later)} onWithdraw={onWithdraw} />
    </>
  );
}
