import { Button } from "@aws-amplify/ui-react";
import { useEffect, useState, type ReactNode, type SubmitEvent } from "react";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { Overlay } from "../../components/Overlay";
import { readFplId } from "../../lib/fpl-id";
import { errorOf } from "../../lib/parsed";
import { useSubmit } from "../../lib/use-submit";
import { Adult } from "./Adult";
import { forgetDraft, loadDraft, saveDraft, type Draft } from "./draft";
import { EmailField } from "./EmailField";
import { register, type NewAccount } from "./register";
import { readEmail, readNewPassword, readUsername } from "./rules";

type Props = {
  /** A referral code from the address, passed on as it came; without one, the last that there was. */
  referral: string | null;
  onRegistered: () => void;
  children?: ReactNode;
};

type Typed = Draft & { password: string };

/** A new account. What was typed stays, whatever the answer. `children` stand under the team id. */
export function RegisterForm({ referral, onRegistered, children }: Props) {
  const [typed, setTyped] = useState<Typed>(() => ({ ...loadDraft(referral), password: "" }));
  const [adult, setAdult] = useState(false);
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const email = readEmail(typed.email);
  const username = readUsername(typed.username);
  const password = readNewPassword(typed.password);
  const fplId = readFplId(typed.fplId);
  useEffect(() => saveDraft(typed), [typed]);
  const set = (name: keyof Typed) => (value: string) => setTyped((old) => ({ ...old, [name]: value }));
  const shown = (error: string | undefined) => (tried ? error : undefined);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    setProblem(undefined);
    if (!email.ok || !username.ok || !password.ok || !fplId.ok || !adult) return;
    const account: NewAccount = {
      email: email.value,
      username: username.value,
      password: password.value,
      fplId: fplId.value,
    };
    if (typed.ref) account.ref = typed.ref;
    void submit(async () => {
      const outcome = await register(account);
      if ("error" in outcome) return setProblem(outcome.error);
      forgetDraft();
      onRegistered();
    });
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label="Register">
      <EmailField value={typed.email} onChange={set("email")} error={shown(errorOf(email))} />
      <Field
        label="Username"
        hint="12 characters at most. Other players see it."
        value={typed.username}
        onChange={set("username")}
        error={shown(errorOf(username))}
        input={{ autoComplete: "nickname", autoCapitalize: "none", maxLength: 12, name: "username" }}
      />
      <Field
        secret
        label="Password"
        hint="At least 6 characters."
        value={typed.password}
        onChange={set("password")}
        error={shown(errorOf(password))}
        input={{ autoComplete: "new-password", name: "password" }}
      />
      <Field
        label="FPL ID"
        value={typed.fplId}
        onChange={set("fplId")}
        error={shown(errorOf(fplId))}
        input={{ inputMode: "numeric", autoComplete: "off", name: "fplId" }}
      />
      {children}
      <Adult checked={adult} onChange={setAdult} error={shown(adult ? undefined : "You must be 18 or older to play.")} />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isDisabled={busy} isFullWidth>
        Register
      </Button>
      {busy && <Overlay title="Creating your account, please wait..." />}
    </form>
  );
}
