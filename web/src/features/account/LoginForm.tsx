import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { Overlay } from "../../components/Overlay";
import { errorOf } from "../../lib/parsed";
import type { Session } from "../../lib/session";
import { useSubmit } from "../../lib/use-submit";
import { EmailField } from "./EmailField";
import { logIn } from "./log-in";
import { readPassword } from "./rules";

type Props = { onLoggedIn: (session: Session) => void };

/** Email, password, and what came of them. */
export function LoginForm({ onLoggedIn }: Props) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const emailError = email.trim() === "" ? "Enter your email." : undefined;
  const read = readPassword(password);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    setProblem(undefined);
    if (emailError || !read.ok) return;
    void submit(async () => {
      const outcome = await logIn(email.trim(), read.value);
      if ("error" in outcome) setProblem(outcome.error);
      else onLoggedIn(outcome.session);
    });
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label="Log in">
      <EmailField value={email} onChange={setEmail} error={tried ? emailError : undefined} />
      <Field
        secret
        label="Password"
        value={password}
        onChange={setPassword}
        error={tried ? errorOf(read) : undefined}
        input={{ autoComplete: "current-password", name: "password" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isDisabled={busy} isFullWidth>
        Login
      </Button>
      {busy && <Overlay title="Logging in, please wait..." />}
    </form>
  );
}
