import { Button } from "@aws-amplify/ui-react";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { Overlay } from "../../components/Overlay";
import { msg } from "../../lib/i18n";

type Props = {
  /** Why the last try was not taken. */
  problem: string | undefined;
  busy: boolean;
  onCode: (code: string) => void;
  onBack: () => void;
};

/** The second step of an admin who uses an authenticator app. */
export function CodeForm({ problem, busy, onCode, onBack }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState("");
  const [tried, setTried] = useState(false);
  const missing = code.trim() === "";
  // The fields before it are gone: the focus goes on to this one.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!missing) onCode(code.trim());
  };

  return (
    <form ref={form} className="form" onSubmit={onSubmit} noValidate aria-label={msg("Log in with a code")}>
      <Field
        label={msg("Code")}
        hint={msg("From your authenticator app, or one of your recovery codes.")}
        value={code}
        onChange={setCode}
        error={tried && missing ? msg("Enter the code from your authenticator app.") : undefined}
        input={{ autoComplete: "one-time-code", autoCapitalize: "none", name: "totp" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isDisabled={busy} isFullWidth>{msg("Login")}</Button>
      <Button variation="link" isDisabled={busy} onClick={onBack}>{msg("Use another account")}</Button>
      {busy && <Overlay title={msg("Logging in, please wait...")} />}
    </form>
  );
}
