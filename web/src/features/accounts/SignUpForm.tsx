import { Button } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { Overlay } from "../../components/Overlay";
import { Adult } from "./Adult";
import { EmailField } from "./EmailField";
import { NewerTerms } from "./NewerTerms";
import { useSignUp } from "./use-sign-up";
import { msg } from "../../lib/i18n";

type Props = {
  /** A referral code from the address, passed on as it came; without one, the last that there was. */
  referral: string | null;
  onRegistered: () => void;
  children?: ReactNode;
};

/** A new account. `children` stand under the team id. */
export function SignUpForm({ referral, onRegistered, children }: Props) {
  const { form, typed, set, adult, setAdult, errors, problem, newerTerms, busy, onSubmit, onProve } = useSignUp(referral, onRegistered);
  return (
    <form ref={form} className="form" onSubmit={onSubmit} noValidate aria-label={msg("Register")}>
      <EmailField value={typed.email} onChange={set("email")} error={errors.email} />
      <Field
        label={msg("Username")}
        hint={msg("3 to 12 letters, digits, '.', '_' or '-'. Everybody can see it, and M-Pesa shows it if it is letters and digits alone.")}
        value={typed.username}
        onChange={set("username")}
        error={errors.username}
        input={{ autoComplete: "nickname", autoCapitalize: "none", maxLength: 12, name: "username" }}
      />
      <Field
        secret
        label={msg("Password")}
        hint={msg("At least 6 characters.")}
        value={typed.password}
        onChange={set("password")}
        error={errors.password}
        input={{ autoComplete: "new-password", name: "password" }}
      />
      <Field
        label={msg("FPL ID")}
        value={typed.fplId}
        onChange={set("fplId")}
        error={errors.fplId}
        input={{ inputMode: "numeric", autoComplete: "off", name: "fplId" }}
      />
      {children}
      <Adult checked={adult} onChange={setAdult} error={errors.adult} />
      {problem && <Notice tone="error">{problem}</Notice>}
      {newerTerms && <NewerTerms />}
      {onProve && (
        <>
          <p>{msg("Is the team yours? Register without it, and prove it then: whoever took it loses it.")}</p>
          <Button isDisabled={busy} isFullWidth onClick={onProve}>{msg("Register and prove my team")}</Button>
        </>
      )}
      <Button type="submit" variation="primary" isDisabled={busy} isFullWidth>{msg("Register")}</Button>
      {busy && <Overlay title={msg("Creating your account, please wait...")} />}
    </form>
  );
}
