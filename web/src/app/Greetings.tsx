import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { userQuery } from "../api/queries";
import { TermsDialog } from "../features/accounts/TermsDialog";
import { mustAgree } from "../features/accounts/terms";
import { WinNews } from "../features/entries/WinNews";

type Props = {
  /** Something else is asked of the player now. */
  quiet: boolean;
  onWithdraw: () => void;
};

/** What opens by itself on the main page, one after the other: the terms to agree to, then a win. */
export function Greetings({ quiet, onWithdraw }: Props) {
  const { data: user } = useQuery(userQuery);
  const [later, setLater] = useState(false);
  const asks = user !== undefined && mustAgree(user);
  return (
    <>
      {asks && <TermsDialog open={!later && !quiet} terms={user.terms} onLater={() => setLater(true)} />}
      <WinNews quiet={quiet || user === undefined || (asks && !later)} onWithdraw={onWithdraw} />
    </>
  );
}
