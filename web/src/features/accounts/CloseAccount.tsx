import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Card } from "../../components/Card";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { msg, str } from "../../lib/i18n";
import { clearEverything } from "../../lib/session";
import { eastAfricaTime } from "../../lib/time";
import { useSubmit } from "../../lib/use-submit";
import { closeAccount } from "./closing";

/** Ends the account, by the password. */
export function CloseAccount() {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [codeWanted, setCodeWanted] = useState(false);
  const [error, setError] = useState<string>();
  const [erasedAt, setErasedAt] = useState<string>();
  const { busy, submit } = useSubmit();

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setError(undefined);
    if (password.trim() === "") return setError(msg("Enter your password."));
    void submit(async () => {
      const answer = await closeAccount(password, code);
      if ("erasedAt" in answer) return setErasedAt(answer.erasedAt);
      setError(answer.error);
      setCodeWanted(codeWanted || answer.codeWanted);
    });
  };

  return (
    <Card title={msg("Close my account")}>
      <p>{msg("Withdraw what is in your wallet first. Less than KSh 60 cannot be withdrawn: it stays with us, unless you write to us before. Once the account is closed, nobody can log in any more, and a week later your name, email, numbers and messages are removed. Movements of money stay without them, as the law asks.")}</p>
      <Button isFullWidth onClick={() => setOpen(true)}>{msg("Close my account...")}</Button>
      <Dialog open={open} title={msg("Close my account")} busy={busy} onClose={() => (erasedAt ? clearEverything() : setOpen(false))}>
        {erasedAt === undefined ? (
          <form className="form" onSubmit={onSubmit} noValidate aria-label={msg("Close my account")}>
            <p>{msg("This cannot be undone by anybody. Should a prompt still be paid within the week, or your wallet have KSh 60 or more by its end, the account is open again and we write to you.")}</p>
            <Field secret label={msg("Password")} value={password} onChange={setPassword} input={{ name: "password" }} />
            {codeWanted && (
              <Field
                label={msg("Code from your authenticator app")}
                value={code}
                onChange={setCode}
                input={{ inputMode: "numeric", autoComplete: "one-time-code", name: "code" }}
              />
            )}
            {error !== undefined && <Notice tone="error">{error}</Notice>}
            <div className="actions">
              <Button isDisabled={busy} onClick={() => setOpen(false)}>{msg("Cancel")}</Button>
              <Button type="submit" variation="primary" isLoading={busy} loadingText={msg("One moment...")} isDisabled={busy}>
                {msg("Close it")}
              </Button>
            </div>
          </form>
        ) : (
          <>
            <Notice tone="success">{msg(str`Your account is closed. What is personal is removed from ${eastAfricaTime(new Date(erasedAt))} on.`)}</Notice>
            <Button variation="primary" isFullWidth onClick={() => clearEverything()}>{msg("Got it")}</Button>
          </>
        )}
      </Dialog>
    </Card>
  );
}
