import { Button } from "@aws-amplify/ui-react";
import { msg } from "../../lib/i18n";

/** Stands for the prompt in the last seconds before the deadline. */
export const UseYourWallet = ({ onWallet }: { onWallet: () => void }) => (
  <>
    <p>{msg("The deadline is so near that a prompt may be paid too late. An entry from your wallet is made at once.")}</p>
    <Button onClick={onWallet}>{msg("Use your wallet")}</Button>
  </>
);
