import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { SomethingWrong } from "../../components/SomethingWrong";
import { ksh } from "../../lib/money";
import { errorOf } from "../../lib/parsed";
import { Paybill } from "./Paybill";
import { readMpesaCode } from "./rules";
import { useTypedCode } from "./use-typed-code";
import { msg, str } from "../../lib/i18n";

type Props = {
  open: boolean;
  onClose: () => void;
  /** The quicker way in: a prompt on the phone. */
  onPrompt: () => void;
};

/** Money in by hand: pay the paybill, then type M-Pesa's code (spec §2). */
export function TypedCodeDialog({ open, onClose, onPrompt }: Props) {
  const typed = useTypedCode();
  const close = () => {
    typed.forget();
    onClose();
  };
  return (
    <Dialog open={open} title={msg("Top up with an M-Pesa code")} onClose={close} busy={typed.busy}>
      {typed.outcome && "done" in typed.outcome ? (
        <div className="stack">
          <Notice tone="success">{typed.outcome.done}</Notice>
          {typed.outcome.credited === undefined ? (
            <>
              <p>{msg("Your code is being checked. The money is in your wallet as soon as it is confirmed. If it is not, we mail you why.")}</p>
              <SomethingWrong kind="payment" id={typed.outcome.id} />
            </>
          ) : (
            <Notice tone="success">
              {typed.outcome.credited === 0
                ? msg("It has gone towards what you owed.")
                : msg(str`${ksh(typed.outcome.credited)} is in your wallet.`)}
            </Notice>
          )}
          <Button variation="primary" onClick={close}>{msg("Close")}</Button>
        </div>
      ) : (
        <CodeForm typed={typed} onPrompt={onPrompt} />
      )}
    </Dialog>
  );
}

/** The form of one code: opened again, it starts anew. */
function CodeForm({ typed, onPrompt }: { typed: ReturnType<typeof useTypedCode>; onPrompt: () => void }) {
  const { outcome, busy, send } = typed;
  const [code, setCode] = useState("");
  const [tried, setTried] = useState(false);
  const read = readMpesaCode(code);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) void send(read.value);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <Paybill />
      <Field
        label={msg("M-Pesa code")}
        hint={msg("Like NLJ7RT61SV. At times a person checks it, so it can take a while.")}
        value={code}
        onChange={setCode}
        error={tried ? errorOf(read) : undefined}
        input={{ autoComplete: "off", autoCapitalize: "characters", name: "mpesaCode" }}
      />
      {outcome && "problem" in outcome && (
        <>
          <Notice tone="error">{outcome.problem}</Notice>
          {outcome.unanswered && <p>{msg("Send the same code again: it counts only once.")}</p>}
        </>
      )}
      <Button type="submit" variation="primary" isFullWidth isLoading={busy} loadingText={msg("Sending…")}>{msg("Submit code")}</Button>
      <Button variation="link" isFullWidth isDisabled={busy} onClick={onPrompt}>{msg("Not paid yet? Get a prompt on your phone")}</Button>
    </form>
  );
}
