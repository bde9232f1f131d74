import { Overlay } from "../../components/Overlay";
import { ksh } from "../../lib/money";
import type { Paying, PromptStep } from "./use-prompt-entry";
import { msg, str } from "../../lib/i18n";

const details = (): Record<PromptStep | "wallet", string | undefined> => ({
  idle: undefined,
  initiating: msg("Asking M-Pesa to send the prompt…"),
  waiting: msg("Check your phone to complete the payment"),
  joining: msg("Payment received. Joining your league…"),
  wallet: msg("Joining your league…"),
});

/** Covers the page while a payment or a wallet join runs. */
export const ProcessingOverlay = ({ step, paying }: { step: PromptStep | "wallet"; paying?: Paying | undefined }) => (
  <Overlay title={msg("Processing your payment, please wait...")} detail={details()[step]}>
    {step === "waiting" && paying && (
      <p className="small">{msg(str`${ksh(paying.amount)} from ${paying.phone}: enter your PIN there. You may close the app meanwhile; what comes of it is shown when you are back.`)}</p>
    )}
  </Overlay>
);
