import { Button } from "@aws-amplify/ui-react";
import { Suspense, useState, type SubmitEvent } from "react";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { Overlay } from "../../components/Overlay";
import { part } from "../../components/part";
import { errorOf } from "../../lib/parsed";
import type { Session } from "../../lib/session";
import { useFirstError } from "../../lib/use-first-error";
import { useSubmit } from "../../lib/use-submit";

import { EmailField } from "./EmailField";
import { logIn } from "./log-in";
import { readPassword } from "./read-password";
import { msg } from "../../lib/i18n";

/** Few are asked for a code: what only they see is loaded for them. */
const CodeForm = part(() => import("./CodeForm").then((m) => m.CodeForm));

type Props = { onLoggedIn: (session: Session) => void };

/** Email, password, and what came of them; then a code, where the account asks for one. */
export function LogInForm({ onLoggedIn }: Props) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asksCode, setAsksCode] = useState(false);
  const { busy, submit } = useSubmit();
  const { form, focusFirstError } = useFirstError();

  const emailError = email.trim() === "" ? msg("Enter your email.") : undefined;
  const read = readPassword(password);

  const enter = (code?: string) => {
    setProblem(undefined);
    if (emailError || !read.ok) return focusFirstError();
    void submit(async () => {
      const outcome = await logIn(email.trim(), read.value, code);
      if ("session" in outcome) return onLoggedIn(outcome.session);
      if ("error" in outcome) return setProblem(outcome.error);
      // That one is asked for is no failure; that the one shown is not right is.
      if (code) setProblem(outcome.needsCode);
      setAsksCode(true);
    });
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    enter();
  };
  const startAgain = () => {
    setAsksCode(false);
    setProblem(undefined);
    setPassword("");
    setTried(false);
  };

  if (asksCode) {
    return (
      <Suspense fallback={<p role="status">{msg("Loading...")}</p>}>
        <CodeForm problem={problem} busy={busy} onCode={enter} onBack={startAgain} />
      </Suspense>
    );
  }

  return (
    <form ref={form} className="form" onSubmit={onSubmit} noValidate aria-label={msg("Log in")}>
      <EmailField value={email} onChange={setEmail} error={tried ? emailError : undefined} />
      <Field
        secret
        label={msg("Password")}
        value={password}
        onChange={setPassword}
        error={tried ? errorOf(read) : undefined}
        input={{ autoComplete: "current-password", name: "password" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isDisabled={busy} isFullWidth>{msg("Login")}</Button>
      {busy && <Overlay title={msg("Logging in, please wait...")} />}
    </form>
  );
}
