import { useEffect, useState, type SubmitEvent } from "react";
import { readFplId } from "../../lib/fpl-id";
import { errorOf } from "../../lib/parsed";
import { useFirstError } from "../../lib/use-first-error";
import { useSubmit } from "../../lib/use-submit";
import { forgetDraft, loadDraft, saveDraft, type Draft } from "./draft";
import { register, type Registered } from "./sign-up";
import { readEmail, readNewPassword, readUsername } from "./rules";
import { msg } from "../../lib/i18n";

type Typed = Draft & { password: string };
type Errors = Partial<Record<keyof Typed | "adult", string | undefined>>;

/** What was typed, what is wrong with it, and sending it. It stays, whatever the answer. */
export function useSignUp(referral: string | null, onRegistered: () => void) {
  const [typed, setTyped] = useState<Typed>(() => ({ ...loadDraft(referral), password: "" }));
  const [adult, setAdult] = useState(false);
  const [tried, setTried] = useState(false);
  const [outcome, setOutcome] = useState<Registered & { password: string }>();
  const { busy, submit } = useSubmit();
  const { form, focusFirstError } = useFirstError();
  useEffect(() => saveDraft(typed), [typed]);

  const email = readEmail(typed.email);
  const username = readUsername(typed.username);
  const password = readNewPassword(typed.password);
  const fplId = readFplId(typed.fplId);
  const badPassword =
    outcome && "badPassword" in outcome && outcome.password === typed.password ? outcome.badPassword : undefined;
  const errors: Errors = !tried ? {} : {
    email: errorOf(email),
    username: errorOf(username),
    password: errorOf(password) ?? badPassword,
    fplId: errorOf(fplId),
    adult: adult ? undefined : msg("You must be 18 or older to play."),
  };

  const send = async (proveTeam: boolean) => {
    setTried(true);
    setOutcome(undefined);
    if (!email.ok || !username.ok || !password.ok || !fplId.ok || !adult) return focusFirstError();
    const account = { email: email.value, username: username.value, password: password.value, fplId: fplId.value };
    await submit(async () => {
      const now = await register({ ...account, ...(typed.ref && { ref: typed.ref }), ...(proveTeam && { proveTeam }) });
      setOutcome({ ...now, password: typed.password });
      if (!("done" in now)) return;
      forgetDraft();
      onRegistered();
    });
    focusFirstError();
  };

  return {
    form,
    typed,
    set: (name: keyof Typed) => (value: string) => setTyped((old) => ({ ...old, [name]: value })),
    adult,
    setAdult,
    errors,
    problem: outcome && "error" in outcome ? outcome.error : undefined,
    busy,
    onSubmit: (event: SubmitEvent) => {
      event.preventDefault();
      void send(false);
    },
    /** Where it may be the team that is taken: once more, to prove it afterwards. */
    onProve: outcome && "error" in outcome && outcome.taken ? () => void send(true) : undefined,
  };
}
