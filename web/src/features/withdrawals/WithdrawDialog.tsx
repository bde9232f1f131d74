import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { Problem } from "../../components/Problem";
import { ksh } from "../../lib/money";
import { errorOf } from "../../lib/parsed";
import { localDigits, rememberedPhone, withoutPlus } from "../../lib/phone";
import { eastAfricaTime } from "../../lib/time";
import { taxInWords, taxOf } from "../../lib/tax";
import { useFirstError } from "../../lib/use-first-error";
import { settingsQuery } from "../../api/queries";
import { useBalance, whatIsOwed } from "../../api/use-balance";
import { MINIMUM_WITHDRAWAL, readWithdrawalAmount, readWithdrawalPhone, withdrawalHint } from "./rules";
import { useWithdrawal } from "./use-withdrawal";
import { msg, str } from "../../lib/i18n";

type Props = { open: boolean; onClose: () => void };

export function WithdrawDialog({ open, onClose }: Props) {
  const withdrawal = useWithdrawal();
  const close = () => {
    withdrawal.forget();
    onClose();
  };
  return (
    <Dialog open={open} title={msg("Withdraw Funds")} onClose={close} busy={withdrawal.busy}>
      <WithdrawForm withdrawal={withdrawal} onClose={close} />
    </Dialog>
  );
}

type FormProps = { withdrawal: ReturnType<typeof useWithdrawal>; onClose: () => void };

/** The form of one request: opened again, it starts anew. */
function WithdrawForm({ withdrawal: { outcome, busy, withdraw, wasSent }, onClose }: FormProps) {
  const { balance, owed } = useBalance();
  const [phone, setPhone] = useState(rememberedPhone);
  const [amount, setAmount] = useState("");
  const [tried, setTried] = useState(false);
  const { form, focusFirstError } = useFirstError();

  const { data: settings } = useQuery(settingsQuery);
  const minimum = settings?.minimumWithdrawal ?? MINIMUM_WITHDRAWAL;
  const withheldOf = (asked: number) => {
    const percent = settings?.withholdingPercent;
    return percent ? taxInWords(asked, { percent, amount: taxOf(asked, percent) }) : null;
  };

  const readPhone = readWithdrawalPhone(phone);
  // What was perhaps taken is sent again as it is, and the balance may be less by it already.
  const asked = readWithdrawalAmount(amount, minimum, null);
  const perhapsTaken = busy || (outcome !== null && "unanswered" in outcome && outcome.unanswered) || (readPhone.ok && asked.ok && wasSent(readPhone.value, asked.value));
  const readAmount = perhapsTaken ? asked : readWithdrawalAmount(amount, minimum, balance);

  if (outcome && "done" in outcome && outcome.again) return <SentBefore onClose={onClose} />;
  if (outcome && "done" in outcome) {
    return (
      <div className="stack">
        <Notice tone="success">{outcome.done}</Notice>
        <p>{msg(str`${ksh(outcome.amount)} goes to ${localDigits(outcome.mpesaNumber)}. It has left your wallet, and the operator sends it by M-Pesa.`)}</p>
        {withheldOf(outcome.amount) && <p>{withheldOf(outcome.amount)}</p>}
        {outcome.waitsUntil && (
          <p>{msg(str`This number is not known as yours yet, so it is sent after ${eastAfricaTime(new Date(outcome.waitsUntil))}. We have mailed you a link to cancel it until then.`)}</p>
        )}
        <Button variation="primary" onClick={onClose}>{msg("Close")}</Button>
      </div>
    );
  }

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!readPhone.ok || !readAmount.ok) return focusFirstError();
    void withdraw(readPhone.value, readAmount.value);
  };

  return (
    <form ref={form} className="form" onSubmit={onSubmit} noValidate>
      {owed > 0 && <Notice tone="warning">{whatIsOwed(owed)}</Notice>}
      <Field
        label={msg("M-Pesa number")}
        value={phone}
        onChange={(typed) => setPhone(withoutPlus(typed))}
        error={tried ? errorOf(readPhone) : undefined}
        input={{ type: "tel", inputMode: "tel", autoComplete: "tel", placeholder: "07XXXXXXXX", name: "mpesaNumber" }}
      />
      <Field
        label={msg("Amount (KSh)")}
        hint={withdrawalHint(minimum, balance)}
        value={amount}
        onChange={setAmount}
        error={tried ? errorOf(readAmount) : undefined}
        input={{ inputMode: "numeric", autoComplete: "off", name: "amount" }}
      />
      {readAmount.ok && withheldOf(readAmount.value) && <p className="small" role="status">{withheldOf(readAmount.value)}</p>}
      {outcome && <Problem trouble={outcome.trouble} />}
      {outcome?.proves && (
        <Link className="link-row" to="/team">{msg("Prove your team")}</Link>
      )}
      <Button type="submit" variation="primary" isFullWidth isLoading={busy} loadingText={msg("Sending…")}>{msg("Withdraw")}</Button>
    </form>
  );
}

/** What has become of one that was sent before is not in the answer: it may have been paid, rejected or cancelled since. */
const SentBefore = ({ onClose }: { onClose: () => void }) => (
  <div className="stack">
    <Notice tone="info">{msg("You had sent this before, and no answer came. Withdrawals shows what has become of it. To withdraw the same once more, ask again.")}</Notice>
    <Link className="link-row" to="/withdrawals" onClick={onClose}>{msg("Withdrawals")}</Link>
    <Button variation="primary" onClick={onClose}>{msg("Close")}</Button>
  </div>
);
