import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Notice } from "../../components/Notice";
import { errorOf } from "../../lib/parsed";
import { useFirstError } from "../../lib/use-first-error";
import { useSubmit } from "../../lib/use-submit";
import { EmailField } from "./EmailField";
import { askForLink, type Said } from "./passwords";
import { readEmail } from "./rules";
import { msg } from "../../lib/i18n";

/** Asks for a link by mail. The answer is the same whether the email is an account's or not. */
export function ForgotPasswordForm() {
  const [email, setEmail] = useState("");
  const [tried, setTried] = useState(false);
  const [said, setSaid] = useState<Said>();
  const { busy, submit } = useSubmit();
  const { form, focusFirstError } = useFirstError();
  const read = readEmail(email);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    setSaid(undefined);
    if (!read.ok) return focusFirstError();
    void submit(async () => setSaid(await askForLink(read.value)));
  };

  return (
    <form ref={form} className="form" onSubmit={onSubmit} noValidate aria-label={msg("Forgot password")}>
      <EmailField value={email} onChange={setEmail} error={tried ? errorOf(read) : undefined} />
      {said && ("done" in said ? <Notice tone="success">{said.done}</Notice> : <Notice tone="error">{said.error}</Notice>)}
      <Button type="submit" variation="primary" isLoading={busy} loadingText={msg("Sending...")} isFullWidth>{msg("Send Reset Link")}</Button>
    </form>
  );
}
