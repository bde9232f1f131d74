import { Button } from "@aws-amplify/ui-react";

/** Stands for the prompt in the last seconds before the deadline. */
export const UseYourWallet = ({ onWallet }: { onWallet: () => void }) => (
  <>
    <p>
      The deadline is so near that a prompt may be paid too late. An entry from your wallet is made at once.
    </p>
    <Button onClick={onWallet}>Use your wallet</Button>
  </>
);
