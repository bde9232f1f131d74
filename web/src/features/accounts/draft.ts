/**
 * What was typed into the registration form, and the referral code that it was opened with, kept while the
 * player looks up their team id or looks around. Never the password, and only as long as this tab lives.
 */
const KEY = "registration";

export type Draft = { email: string; username: string; fplId: string; ref: string };

/** A newer link's code replaces the one before. */
export function loadDraft(newerRef: string | null): Draft {
  const { email = "", username = "", fplId = "", ref = "" } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<Draft>;
  return { email, username, fplId, ref: newerRef || ref };
}

export const saveDraft = ({ email, username, fplId, ref }: Draft) =>
  sessionStorage.setItem(KEY, JSON.stringify({ email, username, fplId, ref }));

export const forgetDraft = () => sessionStorage.removeItem(KEY);
