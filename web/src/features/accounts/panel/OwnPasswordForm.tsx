import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Field } from "../../../components/Field";
import { Notice } from "../../../components/Notice";

type Props = {
  action: string;
  busy: boolean;
  problem: string | undefined;
  onPassword: (password: string) => void;
};

/** Asks for the admin's own password once more. */
export function OwnPasswordForm({ action, busy, problem, onPassword }: Props) {
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const missing = password.trim() === "";

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!missing) onPassword(password);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label={action}>
      <Field
        label="Your password"
        value={password}
        onChange={setPassword}
        error={tried && missing ? "Enter your password once more." : undefined}
        secret
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" isLoading={busy} loadingText="Starting…">
        {action}
      </Button>
    </form>
  );
}
