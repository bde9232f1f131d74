import { Overlay } from "../../components/Overlay";
import type { PromptStep } from "./use-prompt-entry";

const DETAIL: Record<PromptStep | "wallet", string | undefined> = {
  idle: undefined,
  initiating: "Asking M-Pesa to send the prompt…",
  waiting: "Check your phone to complete the payment",
  joining: "Payment received. Joining your league…",
  wallet: "Joining your league…",
};

/** Covers the page while a payment or a wallet join runs. */
export const ProcessingOverlay = ({ step }: { step: PromptStep | "wallet" }) => (
  <Overlay title="Processing your payment, please wait..." detail={DETAIL[step]} />
);
