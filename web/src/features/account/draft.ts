/**
 * What was typed into the registration form, kept while the player looks up their team id. Never the
 * password, and only as long as this tab lives.
 */
const KEY = "registration";

export type Draft = { email: string; username: string; fplId: string };

export function loadDraft(): Draft {
  const { email = "", username = "", fplId = "" } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<Draft>;
  return { email, username, fplId };
}

export const saveDraft = ({ email, username, fplId }: Draft) =>
  sessionStorage.setItem(KEY, JSON.stringify({ email, username, fplId }));

export const forgetDraft = () => sessionStorage.removeItem(KEY);
