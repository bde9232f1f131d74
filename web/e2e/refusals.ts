/** The server's no: with the code by which it is read in Kiswahili, and for another player's number with the way that is left. */
import type { refusals } from "../src/locales/sw-server";

export const CODES: Readonly<Record<string, keyof typeof refusals>> = {
  "You already joined this gameweek.": "already_joined",
  "This number belongs to another player. Use your own, or pay to the paybill with your account.": "number_of_another_player",
  "This code has been credited already.": "code_already_credited",
};

export function refusal(message: string) {
  const code = CODES[message];
  if (code !== "number_of_another_player") return { status: 400, json: { message, code } };
  return { status: 409, json: { message, code, paybill: { number: "174379", account: "5720014" } } };
}
