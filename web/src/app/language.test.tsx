import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerInWords } from "../api/refusal";
import { chooseLanguage, language, msg, startLanguage, str } from "../lib/i18n";
import { noteUntold } from "../lib/language";
import { plural } from "../lib/plural";
import { ksh } from "../lib/money";
import { projection } from "../lib/projection";
import { clearEverything } from "../lib/session";
import { dayName, eastAfricaTime, timeLeft } from "../lib/time";
import { logIn } from "../features/accounts/log-in";
import { logInAs } from "../testing/app";
import { json, server, told, url } from "../testing/server";
import { App } from "./App";
import type { LoginState } from "./pages/LoginPage";
import { startUp } from "./start-up";

beforeEach(() => server.use(http.post(url("/refresh"), () => told(401, "Please log in."))));
afterEach(async () => {
  await chooseLanguage("en");
  localStorage.removeItem("language");
  window.history.replaceState(null, "", "/");
});

const asks = (...languages: string[]) => vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);

async function openAt(address: string) {
  window.history.replaceState(null, "", address);
  await startLanguage();
  return render(<App started={startUp()} />);
}

test.each([
  [["sw-KE", "en"], "sw"],
  [["fr", "sw", "en"], "sw"],
  [["en-GB", "sw"], "en"],
  [["fr"], "en"],
  [[], "en"],
])("of the browser's languages %j the first that there is, is shown: %s", async (languages, shown) => {
  asks(...languages);
  await openAt("/login");
  expect(await screen.findByRole("heading", { level: 1, name: shown === "sw" ? "Ingia" : "Log in" })).toBeInTheDocument();
  expect(language()).toBe(shown);
});

test("the reader's own choice stands above the browser's, and is kept when everything else is cleared", async () => {
  asks("en");
  await openAt("/login");
  await userEvent.click(await screen.findByRole("button", { name: "Kiswahili" }));
  expect(await screen.findByLabelText("Barua pepe")).toBeInTheDocument();
  expect(document.documentElement.lang).toBe("sw");
  expect(document.title).toBe("Ingia · FPL Leagues");
  // Where the keyboard was, it goes on.
  expect(screen.getByRole("button", { name: "English" })).toHaveFocus();

  clearEverything();
  expect(localStorage.getItem("language")).toBe("sw");
  await chooseLanguage("en");
  expect(document.documentElement.lang).toBe("en");
});

test("a choice that is no language of ours is none", async () => {
  asks("sw");
  localStorage.setItem("language", "xx");
  await openAt("/login");
  expect(await screen.findByLabelText("Barua pepe")).toBeInTheDocument();
});

test("a refusal is said in the reader's language by its code, and as it came where the code is not known", async () => {
  localStorage.setItem("language", "sw");
  logInAs("player");
  server.use(http.post(url("/refresh"), () => json({ accessToken: "token-2" })));
  const refusals = [
    { code: "insufficient_balance", message: "Insufficient wallet balance for 50. Please top up." },
    { code: "of_tomorrow", message: "A rule of tomorrow." },
  ];
  server.use(http.post(url("/api/join-league"), () => json(refusals.shift(), { status: 400 })));
  await openAt("/checkout-wallet");
  const join = await screen.findByRole("button", { name: "Jiunge kwa 50" });
  await waitFor(() => expect(join).toBeEnabled());
  await userEvent.click(join);
  expect(await screen.findByText("Salio la pochi halitoshi kwa 50. Tafadhali ongeza pesa.")).toBeInTheDocument();
  await userEvent.click(await screen.findByRole("button", { name: "Jiunge kwa 50" }));
  expect(await screen.findByText("A rule of tomorrow.")).toBeInTheDocument();
});

test("who is logged in is written to in the language that was chosen, and a guest tells the server nothing", async () => {
  const changes: unknown[] = [];
  server.use(
    http.post(url("/refresh"), () => json({ accessToken: "token-2" })),
    http.put(url("/api/me/notifications"), async ({ request }) => {
      changes.push(await request.json());
      return json({});
    }),
  );
  asks("en");
  const { unmount } = await openAt("/login");
  await userEvent.click(await screen.findByRole("button", { name: "Kiswahili" }));
  await userEvent.click(await screen.findByRole("button", { name: "English" }));
  unmount();
  logInAs("player");
  await openAt("/rules");
  // What the guest chose is told as soon as somebody is logged in.
  const english = { push: {}, mail: {}, language: "en" };
  await waitFor(() => expect(changes).toEqual([english]));
  await userEvent.click(await screen.findByRole("button", { name: "Kiswahili" }));
  await waitFor(() => expect(changes).toEqual([english, { ...english, language: "sw" }]));
});

test("a choice that could not be told is kept when everything else is cleared, and told at the next start with a session", async () => {
  const changes: unknown[] = [];
  server.use(
    http.post(url("/refresh"), () => json({ accessToken: "token-2" })),
    http.put(url("/api/me/notifications"), async ({ request }) => {
      changes.push(await request.json());
      return json({ push: {}, mail: {}, language: "sw", pushKey: "", phones: 0 });
    }),
  );
  noteUntold("sw");
  clearEverything();
  await startUp();
  logInAs("player");
  await startUp();
  await waitFor(() => expect(localStorage.getItem("languageToTell")).toBeNull());
  expect(changes).toEqual([{ push: {}, mail: {}, language: "sw" }]);
});

test("the language that a guest chose is the account's after logging in, once", async () => {
  const changes: unknown[] = [];
  let fails = true;
  server.use(
    http.put(url("/api/me/notifications"), async ({ request }) => {
      changes.push(await request.json());
      if (fails) return json({}, { status: 500 });
      return json({ push: {}, mail: {}, language: "sw", pushKey: "", phones: 0 });
    }),
    http.post(url("/api/login"), () => json({ status: "exist", accessToken: "t", token: "t", _id: "u1", username: "w", fplId: "1", email: "w@x.co", role: "player" })),
  );
  await openAt("/rules");
  await userEvent.click(await screen.findByRole("button", { name: "Kiswahili" }));
  await waitFor(() => expect(document.documentElement.lang).toBe("sw"));
  expect(changes).toEqual([]);
  const told = { push: {}, mail: {}, language: "sw" };
  // What could not be told is told at the next log-in.
  await logIn("wanjiru@example.com", "secret1");
  await waitFor(() => expect(changes).toEqual([told]));
  fails = false;
  await logIn("wanjiru@example.com", "secret1");
  await waitFor(() => expect(changes).toEqual([told, told]));
  await waitFor(() => expect(localStorage.getItem("languageToTell")).toBeNull());
  await logIn("wanjiru@example.com", "secret1");
  expect(changes).toHaveLength(2);
});

test("what is said of a new account is said in a language that is chosen after it", async () => {
  asks("en");
  const state: LoginState = { registered: true };
  // As the registration leaves it in the history.
  window.history.replaceState({ usr: state, key: "registered" }, "", "/login");
  await startLanguage();
  render(<App started={startUp()} />);
  expect(await screen.findByText("Your account is ready. Log in to play.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Kiswahili" }));
  expect(await screen.findByText("Akaunti yako iko tayari. Ingia ucheze.")).toBeInTheDocument();
});

test("the panel is English for who reads Kiswahili, whose choice stays and is there again elsewhere", async () => {
  localStorage.setItem("language", "sw");
  logInAs("admin");
  server.use(
    http.post(url("/refresh"), () => json({ accessToken: "token-2" })),
    http.get(url("/api/withdraw"), () => told(400, "Not now.")),
    http.get(url("/api/admin/audit"), () => json([])),
  );
  vi.spyOn(console, "error").mockReturnValue(undefined);
  await openAt("/panel");
  expect(await screen.findByRole("heading", { level: 1, name: "Admin panel" })).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
  expect([document.documentElement.lang, localStorage.getItem("language")]).toEqual(["en", "sw"]);
  // Nothing that is chosen here would be seen here.
  for (const name of ["Kiswahili", "English"]) expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("link", { name: "Records" }));
  expect(await screen.findByRole("region", { name: "Audit log" })).toBeInTheDocument();
  expect(document.documentElement.lang).toBe("en");

  await userEvent.click(screen.getByRole("link", { name: "Contact" }));
  expect(await screen.findByRole("button", { name: "English" })).toBeInTheDocument();
  expect(document.documentElement.lang).toBe("sw");
  await userEvent.click(screen.getByRole("link", { name: "Paneli ya admin" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Admin panel" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Log out" }));
  await userEvent.click(await screen.findByRole("button", { name: "Yes, log out" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Ingia" })).toBeInTheDocument();
  expect(localStorage.getItem("language")).toBe("sw");
});

test("amounts, numbers, days and times read as they are written in each language", async () => {
  const at = new Date("2026-03-14T10:30:00Z");
  expect([ksh(1000), eastAfricaTime(at), dayName("2026-08-22"), timeLeft(90 * 60_000)]).toEqual([
    "KSh 1,000",
    "Sat 14 Mar, 13:30",
    "22 Aug",
    "1\u00a0h\u00a030\u00a0min",
  ]);
  await chooseLanguage("sw");
  expect([ksh(1000), eastAfricaTime(at), dayName("2026-08-22"), timeLeft(90 * 60_000)]).toEqual([
    "KSh 1,000",
    "Jumamosi 14 Mac, 13:30",
    "22 Ago",
    "saa\u00a01\u00a0dk\u00a030",
  ]);
});

test("one and many are told apart in both languages", async () => {
  const goals = (n: number) => plural(n, msg(str`${n} goal`), msg(str`${n} goals`));
  const offer = (entries: number) => projection({ entryAmount: 50, entries }, 10);
  expect([goals(0), goals(1), goals(2)]).toEqual(["0 goals", "1 goal", "2 goals"]);
  expect(offer(12)).toBe("12 in: two leagues of 6, each pays KSh 270. 8 more make two of ten, KSh 450 each.");
  await chooseLanguage("sw");
  expect([goals(0), goals(1), goals(2)]).toEqual(["magoli 0", "goli 1", "magoli 2"]);
  expect([offer(0), offer(1), offer(9), offer(12)]).toEqual([
    "Hakuna aliyeingia. Wachezaji 10 wanaunda ligi moja ya watu kumi, KSh 450.",
    "Ameingia 1: mchezaji akiwa peke yake hurudishiwa pesa. Wakiingia 9 zaidi, inakuwa ligi moja ya watu kumi, KSh 450.",
    "Wameingia 9: ligi moja ya watu 9, inayolipa KSh 405. Akiingia 1 zaidi, inakuwa ligi moja ya watu kumi, KSh 450.",
    "Wameingia 12: ligi mbili za watu 6, kila moja hulipa KSh 270. Wakiingia 8 zaidi, inakuwa ligi mbili za watu kumi, KSh 450 kila moja.",
  ]);
});

test("what the server says in sentences is said in Kiswahili too, and left as it is where it is somebody's own", async () => {
  const late = "The deadline has passed. Your money is in your wallet.";
  expect(answerInWords(late)).toBe(late);
  await chooseLanguage("sw");
  expect(answerInWords(late)).toBe("Muda wa mwisho umepita. Pesa zako ziko kwenye pochi yako.");
  expect(answerInWords("Request cancelled by user.")).toBe("Ulighairi ombi kwenye simu yako.");
  const drawn =
    "Drawn without the beacon: no relay gave its round when all of them were asked 3 times from 1970-01-01 00:00:00 UTC to " +
    "1970-01-01 00:31:00 UTC. https://a: it did not answer in time (once), it could not be reached (once). https://b: its answer was no round (3 times).";
  expect(answerInWords(drawn)).toBe(
    "Droo ilifanywa bila beacon: hakuna relay iliyotoa raundi yake zilipoulizwa zote mara 3 kuanzia 1970-01-01 00:00:00 UTC hadi " +
      "1970-01-01 00:31:00 UTC. https://a: haikujibu kwa wakati (mara moja), haikuweza kufikiwa (mara moja). https://b: jibu lake halikuwa raundi (mara 3).",
  );
  expect(answerInWords("We looked into it: John.")).toBe("We looked into it: John.");
  expect(answerInWords(null)).toBeNull();
});
