// What the server says in English is read in Kiswahili, with its figures (functions/tests/contract/sentences.rs makes the list).
import { expect, it, test } from "vitest";
import said from "./server-sentences.json";
import { refusal, sentence } from "./swahili";

/** Of which nothing may be left: the words that only English has. */
const ENGLISH = /\b(the|you|your|this|that|is|are|was|has|have|not|and|again|please|it|of|to|in)\b/i;
const figures = (text: string) => (text.match(/\d[\d,:-]*\d|\d/g) ?? []).sort();

it.each(said.filter((text) => !text.includes("Bad Request")))("%s", (text) => {
  const kiswahili = sentence(text);
  expect(kiswahili).not.toMatch(ENGLISH);
  expect(figures(kiswahili)).toEqual(figures(text));
});

test("a limit, with what is left of it and the day on which it begins anew", () => {
  const text = "This is more than your own limit of KSh 1,250 a week for deposits allows: KSh 40 is left. The next period begins on 1 December 2026.";
  expect(refusal("own_limit_reached", text)).toBe(
    "Kiasi hiki kinazidi kikomo ulichojiwekea cha KSh 1,250 kwa wiki kwa kuweka pesa: KSh 40 imebaki. Kipindi kijacho kinaanza 1 Desemba 2026.",
  );
});

test("a refusal that is not known whole is told by its code, and one that is newer than the page by the server", () => {
  expect(refusal("account_suspended", "Your account is resting.")).toBe("Akaunti yako imesimamishwa. Unaweza kuondoa pesa, lakini si kucheza.");
  expect(refusal("newer_than_this", "Something else.")).toBeUndefined();
});

test("somebody's own words stay as they are", () => {
  expect(sentence("We have looked into this payment: M-Pesa sent it back in May. Sorry.")).toBe(
    "Tumeangalia malipo haya: M-Pesa sent it back in May. Sorry.",
  );
  expect(sentence("The number is ported.")).toBe("The number is ported.");
});
