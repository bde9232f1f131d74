import { useEffect, useState, type SubmitEvent } from "react";
import { readFplId } from "../../lib/fpl-id";
import { errorOf } from "../../lib/parsed";
import { useFirstError } from "../../lib/use-first-error";
import { useSubmit } from "../../lib/use-submit";
import { forgetDraft, loadDraft, saveDraft, type Draft } from "./draft";
import { register, type Registered, type Taken } from "./sign-up";
import { readEmail, readNewPassword, readUsername } from "./rules";
import { msg } from "../../lib/i18n";

type Typed = Draft & { password: string };
type Errors = Partial<Record<keyof Typed | "adult", string | undefined>>;

const takenTexts = (): Record<keyof Taken, string> => ({
  username: msg("This username is taken. Choose another one."),
  fplId: msg("This FPL ID is linked to another account."),
});

/** What was typed, what is wrong with it, and sending it. It stays, whatever the answer. */
export function useSignUp(referral: string | null, onRegistered: () => void) {
  const [typed, setTyped] = useState<Typed>(() => ({ ...loadDraft(referral), password: "" }));
  const [adult, setAdult] = useState(false);
  const [tried, setTried] = useState(false);
  const [outcome, setOutcome] = useState<{ came: Registered; of: Typed }>();
  const { busy, submit } = useSubmit();
  const { form, focusFirstError } = useFirstError();
  useEffect(() => saveDraft(typed), [typed]);

  const email = readEmail(typed.email);
  const username = readUsername(typed.username);
  const password = readNewPassword(typed.password);
  const fplId = readFplId(typed.fplId);
  /** What the server has against what is still typed there. */
  const against = (name: keyof Typed, told: (came: Registered) => string | false | undefined) =>
    outcome?.of[name] === typed[name] ? told(outcome.came) || undefined : undefined;
  const isTaken = (name: keyof Taken) => (came: Registered) => "taken" in came && came.taken[name] && takenTexts()[name];
  const errors: Errors = !tried ? {} : {
    email: errorOf(email),
    username: errorOf(username) ?? against("username", isTaken("username")),
    password: errorOf(password) ?? against("password", (came) => "badPassword" in came && came.badPassword),
    fplId: errorOf(fplId) ?? against("fplId", isTaken("fplId")),
    adult: adult ? undefined : msg("You must be 18 or older to play."),
  };

  const send = async (proveTeam: boolean) => {
    setTried(true);
    setOutcome(undefined);
    if (!email.ok || !username.ok || !password.ok || !fplId.ok || !adult) return focusFirstError();
    const account = { email: email.value, username: username.value, password: password.value, fplId: fplId.value };
    await submit(async () => {
      const came = await register({ ...account, ...(typed.ref && { ref: typed.ref }), ...(proveTeam && { proveTeam }) });
      setOutcome({ came, of: typed });
      if (!("done" in came)) return;
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
    problem: outcome && "error" in outcome.came ? outcome.came.error : undefined,
    newerTerms: outcome !== undefined && "newerTerms" in outcome.came,
    busy,
    onSubmit: (event: SubmitEvent) => {
      event.preventDefault();
      void send(false);
    },
    /** Where the team is taken: once more, to prove it afterwards. */
    onProve: errors.fplId && errors.fplId === takenTexts().fplId ? () => void send(true) : undefined,
  };
}
