import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Field } from "../../../components/Field";
import { Notice } from "../../../components/Notice";
import { errorOf } from "../../../lib/parsed";
import { readCode } from "./second-factor";

type Props = {
  action: string;
  busy: boolean;
  problem: string | undefined;
  onCode: (code: string) => void;
};

/** Asks for a code of the authenticator app. */
export function AuthCodeForm({ action, busy, problem, onCode }: Props) {
  const [code, setCode] = useState("");
  const [tried, setTried] = useState(false);
  const read = readCode(code);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) onCode(read.value);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label={action}>
      <Field
        label="Code"
        value={code}
        onChange={setCode}
        error={tried ? errorOf(read) : undefined}
        input={{ autoComplete: "one-time-code", autoCapitalize: "none", name: "code" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isLoading={busy} loadingText="Sending…">
        {action}
      </Button>
    </form>
  );
}
