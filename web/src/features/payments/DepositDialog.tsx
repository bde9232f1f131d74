import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { useNotPlaying, useWhatIsLeft } from "../../api/own-limits";
import { useExcise } from "../../api/use-excise";
import { userQuery } from "../../api/queries";
import { whatIsOwed } from "../../api/use-balance";
import { Dialog } from "../../components/Dialog";
import { ExciseRate } from "../../components/ExciseRate";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { PaybillAccount, type Paybill } from "../../components/PaybillAccount";
import { Problem } from "../../components/Problem";
import { errorOf } from "../../lib/parsed";
import { rememberedPhone, tenDigits } from "../../lib/phone";
import { exciseAhead } from "../../lib/tax";
import { readDepositAmount, readDepositPhone } from "./rules";
import { useDeposit, type DepositState } from "./use-deposit";
import { msg, str } from "../../lib/i18n";

type Props = {
  open: boolean;
  onClose: () => void;
  /** Why it was opened, where it was not by the player: a balance that does not suffice. */
  reason?: string | undefined;
  /** The other way in: a code of a payment that was made by hand. */
  onCode: () => void;
  /** To the terms, where they have to be agreed to first. */
  onTerms: () => void;
};

/** Money in by a prompt on the phone. Closed while it waits, it goes on waiting. */
export function DepositDialog({ open, onClose, reason, onCode, onTerms }: Props) {
  const [phone, setPhone] = useState(rememberedPhone);
  const [amount, setAmount] = useState("");
  const [tried, setTried] = useState(false);
  const { state, aside, isAside, busy, deposit } = useDeposit(open);
  const { data: user } = useQuery(userQuery);
  const [left, notPlaying] = [useWhatIsLeft("deposit", open), useNotPlaying()];

  const percent = useExcise();

  const readPhone = readDepositPhone(phone);
  const readAmount = readDepositAmount(amount);
  const owed = user?.owed ? whatIsOwed(user.owed) : null;
  // Of what is owed first nobody can say here how much comes to the wallet.
  const excise = readAmount.ok && !owed ? exciseAhead(readAmount.value, percent) : null;
  // In a break, without a proof of age or the terms nothing is sent; who owes pays that by hand, and can withdraw after it.
  const mayPlay = !user?.stopped && !user?.ageProofWanted;
  const byPrompt = mayPlay && !user?.terms.required;
  const byHand = byPrompt || owed !== null;
  const waiting = (state.step === "sent" && (!state.late || isAside)) || state.step === "done";
  const newerTold = state.step !== "idle" && !(state.step === "sent" && state.earlier);
  const refusedThere = state.step === "failed" && state.trouble.paybill !== undefined;

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (waiting || !readPhone.ok || !readAmount.ok) return;
    void deposit(readPhone.value, readAmount.value);
  };

  return (
    <Dialog open={open} title={msg("Deposit to Wallet")} onClose={onClose} busy={busy}>
      <form className="form" onSubmit={onSubmit} noValidate>
        {owed && !newerTold && <Notice tone="warning">{owed}</Notice>}
        {reason && reason !== owed && !newerTold && <Notice tone="error">{reason}</Notice>}
        {notPlaying && (
          <Notice tone="info">
            {notPlaying} {mayPlay && !byPrompt && <Button size="small" onClick={onTerms}>{msg("Our terms")}</Button>}
          </Notice>
        )}
        <Field
          label={msg("Phone number")}
          value={phone}
          onChange={(typed) => setPhone(tenDigits(typed))}
          error={tried ? errorOf(readPhone) : undefined}
          input={{ type: "tel", inputMode: "tel", autoComplete: "tel-national", placeholder: "07XXXXXXXX", name: "phone" }}
        />
        <Field
          label={msg("Amount (KSh)")}
          value={amount}
          onChange={setAmount}
          error={tried ? errorOf(readAmount) : undefined}
          hint={left ?? undefined}
          input={{ inputMode: "numeric", autoComplete: "off", name: "amount" }}
        />
        {excise && <p className="small" role="status">{excise}</p>}
        {aside && <Notice tone="info">{aside}</Notice>}
        <Outcome state={state} />
        <Button
          type="submit"
          variation="primary"
          isFullWidth
          isLoading={busy}
          loadingText={msg("Sending…")}
          isDisabled={busy || waiting || !byPrompt}
        >{msg("Deposit")}</Button>
        {state.step !== "done" && (
          <>
            {byHand && !isAside && !refusedThere && <ByHand paybill={user?.paybill} percent={percent} />}
            <Button variation="link" isFullWidth isDisabled={busy} onClick={onCode}>{msg("Paid by hand, and it has not come? Type the M-Pesa code")}</Button>
          </>
        )}
      </form>
    </Dialog>
  );
}

const ByHand = ({ paybill, percent }: { paybill: Paybill | undefined; percent: number | null }) => (
  <div>
    <p className="small">{msg("Or pay by hand in M-Pesa; it is credited by itself:")}</p>
    <PaybillAccount paybill={paybill} />
    <ExciseRate percent={percent} />
  </div>
);

function Outcome({ state }: { state: DepositState }) {
  switch (state.step) {
    case "idle":
      return null;
    case "sent":
      return state.aside ? null : (
        <>
          <Notice tone="info">{msg(str`${state.message}. Enter your M-Pesa PIN on the phone; your wallet is credited when M-Pesa confirms.`)}</Notice>
          {state.late && (
            <p className="small" role="status">{msg("M-Pesa has not confirmed it yet. If you have paid, do not pay again: the money comes to your wallet by itself. If no prompt came, you can ask for another one.")}</p>
          )}
        </>
      );
    case "done":
      return <Notice tone="success">{[msg("Deposit successful"), state.told].filter(Boolean).join(". ")}</Notice>;
    case "failed":
      return <Problem trouble={state.trouble} />;
  }
}
