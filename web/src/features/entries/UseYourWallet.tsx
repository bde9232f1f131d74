import { Button } from "@aws-amplify/ui-react";
import { useBalance } from "../../api/use-balance";
import { ENTRY_AMOUNTS } from "../../lib/amounts";
import { msg } from "../../lib/i18n";

/** What holds of a prompt in the last seconds before the deadline, and the way that is quicker, for whose wallet covers an entry. */
export function UseYourWallet({ onWallet }: { onWallet: () => void }) {
  const { balance } = useBalance();
  const covers = balance === null || balance >= ENTRY_AMOUNTS[0];
  return (
    <>
      <p>
        {msg("A prompt sent before the deadline still counts if M-Pesa tells us within ten minutes after it that you have paid.")}{" "}
        {covers && msg("An entry from your wallet is made at once.")}
      </p>
      {covers && <Button onClick={onWallet}>{msg("Use your wallet")}</Button>}
    </>
  );
}
