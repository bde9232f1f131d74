import { Overlay } from "../../components/Overlay";
import { ksh } from "../../lib/money";
import type { Paying, PromptStep } from "./use-prompt-entry";

const DETAIL: Record<PromptStep | "wallet", string | undefined> = {
  idle: undefined,
  initiating: "Asking M-Pesa to send the prompt…",
  waiting: "Check your phone to complete the payment",
  joining: "Payment received. Joining your league…",
  wallet: "Joining your league…",
};

/** Covers the page while a payment or a wallet join runs. */
export const ProcessingOverlay = ({ step, paying }: { step: PromptStep | "wallet"; paying?: Paying | undefined }) => (
  <Overlay title="Processing your payment, please wait..." detail={DETAIL[step]}>
    {step === "waiting" && paying && (
      <p className="small">
        {ksh(paying.amount)} from {paying.phone}: enter your PIN there. You may close the app meanwhile; what comes of it is shown when
        you are back.
      </p>
    )}
  </Overlay>
);
