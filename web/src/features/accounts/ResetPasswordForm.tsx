import { Button } from "@aws-amplify/ui-react";
import { useEffect, useState, type ReactNode, type SubmitEvent } from "react";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { errorOf } from "../../lib/parsed";
import { useFirstError } from "../../lib/use-first-error";
import { useSubmit } from "../../lib/use-submit";
import { badLink, resetPassword, type Said } from "./passwords";
import { readResetPassword } from "./rules";
import { msg } from "../../lib/i18n";

const REDIRECT_MS = 2_000;

type Props = {
  /** From the link; without one no password can be set. */
  token: string | undefined;
  /** The password is set, and two seconds have passed (spec §9). */
  onReset: () => void;
  /** The way on where the link is not good. */
  children: ReactNode;
};

export function ResetPasswordForm({ token, onReset, children }: Props) {
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [said, setSaid] = useState<Said>();
  const [refused, setRefused] = useState<{ password: string; why: string }>();
  const { busy, submit } = useSubmit();
  const { form, focusFirstError } = useFirstError();
  const read = readResetPassword(password);
  const error = errorOf(read) ?? (refused?.password === password ? refused.why : undefined);
  const done = said !== undefined && "done" in said;

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(onReset, REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [done, onReset]);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    setSaid(undefined);
    setRefused(undefined);
    if (!read.ok) return focusFirstError();
    if (done) return;
    if (!token) return setSaid({ error: badLink() });
    void submit(async () => {
      const answer = await resetPassword(token, read.value);
      if (!("badPassword" in answer)) return setSaid(answer);
      setRefused({ password, why: answer.badPassword });
    }).then(focusFirstError);
  };

  return (
    <form ref={form} className="form" onSubmit={onSubmit} noValidate aria-label={msg("Reset password")}>
      <Field
        secret
        label={msg("New password")}
        hint={msg("At least 6 characters.")}
        value={password}
        onChange={setPassword}
        error={tried ? error : undefined}
        input={{ autoComplete: "new-password", name: "newPassword" }}
      />
      {said && "error" in said && (
        <>
          <Notice tone="error">{said.error}</Notice>
          {children}
        </>
      )}
      {said && "done" in said && <Notice tone="success">{`${said.done} ${msg("You can log in with it in a moment.")}`}</Notice>}
      <Button type="submit" variation="primary" isLoading={busy} loadingText={msg("Resetting...")} isDisabled={busy || done} isFullWidth>{msg("Reset Password")}</Button>
    </form>
  );
}
