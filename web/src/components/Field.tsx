import { PasswordField, TextField } from "@aws-amplify/ui-react";
import type { ChangeEvent, InputHTMLAttributes } from "react";
import { msg } from "../lib/i18n";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string | undefined;
  /** How the field behaves for the phone's keyboard and the browser's memory. */
  input?: Pick<
    InputHTMLAttributes<HTMLInputElement>,
    "type" | "inputMode" | "autoComplete" | "maxLength" | "placeholder" | "autoCapitalize" | "name" | "onKeyDown" | "readOnly"
  >;
  secret?: boolean;
};

/** A labelled field whose error is tied to it and announced. The texts are ours, not the browser's. */
export function Field({ label, value, onChange, error, hint, input, secret = false }: Props) {
  const shared = {
    label,
    value,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value),
    hasError: error !== undefined,
    errorMessage: error && <span role="alert">{error}</span>,
    descriptiveText: hint,
    ...input,
  };
  return secret ? (
    <PasswordField
      {...shared}
      autoComplete={input?.autoComplete ?? "current-password"}
      showPasswordButtonLabel={msg("Show password")}
    />
  ) : (
    <TextField {...shared} />
  );
}
