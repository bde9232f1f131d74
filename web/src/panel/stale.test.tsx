/** What could not be read again is marked, wherever it stands in the panel. */
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { MemoryRouter } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { newQueryClient } from "../app/Providers";
import { CaseAnswer } from "../features/accounts/panel/CaseAnswer";
import { SecondFactor } from "../features/accounts/panel/SecondFactor";
import { logInAs } from "../testing/app";
import { OTIENO, OTIENOS_PROFILE, part } from "../testing/panel";
import { json, server, told, url } from "../testing/server";

const OLD = /could not be read again just now/;
const at = "2026-08-20T09:00:00Z";

beforeEach(() => {
  logInAs("admin");
  vi.spyOn(console, "error").mockReturnValue(undefined);
});

test.each([
  ["Withdrawal Requests", "/panel", "/api/withdraw", "No withdrawal requests."],
  ["Pending Manual Payments", "/panel", "/api/manual-payment/pending", "No payments wait."],
  ["Set Aside", "/panel", "/api/admin/set-asides", "Everything adds up."],
  ["Waiting Leagues", "/panel", "/api/admin/leagues/waiting", "No league waits."],
  ["Switches", "/panel", "/api/admin/switches", "Entries"],
  ["Influencer Links", "/panel", "/api/influencers", "No influencers yet."],
  ["Gameweek Control", "/panel", "/api/gameweek/status", /^3 · /],
  ["Approvals", "/panel/approvals", "/api/admin/approvals", "Nothing waits for a second admin."],
  ["Something is wrong", "/panel/cases", "/api/admin/cases", "No open cases."],
  ["Accounts", "/panel/books", "/api/admin/books", /^The books have not been read yet/],
  ["otieno", "/panel/players/u7", "/api/admin/players/u7", "otieno@example.com"],
  ["Audit log", "/panel/records", "/api/admin/audit", "Nothing was done by hand in this month."],
])("%s", async (title, address, path, shown) => {
  server.use(
    http.get(url("/api/admin/players/u7"), () => json(OTIENOS_PROFILE)),
    http.get(url("/api/admin/audit"), () => json([])),
  );
  const section = await part(title, address);
  expect(await section.findByText(shown)).toBeInTheDocument();
  expect(section.queryByText(OLD)).not.toBeInTheDocument();
  server.use(http.get(url(path), () => told(404, "Not now.")));
  await userEvent.click(section.getByRole("button", { name: "Refresh" }));
  // Books and a player have it above all of their parts.
  const main = within(screen.getByRole("main"));
  const marked = ["Accounts", "otieno"].includes(title) ? main : section;
  expect((await marked.findAllByText(OLD)).length).toBeGreaterThan(0);
  expect(section.getByText(shown)).toBeInTheDocument();
});

test("the gameweeks that are owed", async () => {
  const owed = { gameweek: "2025-38", season: 2025, number: 38, deadline: at, state: "closed", calledOff: null, former: true };
  server.use(http.get(url("/api/admin/gameweeks"), () => json([owed])));
  const section = await part("Gameweek Control");
  expect(await section.findByText("Gameweek 38 of 2025/26")).toBeInTheDocument();
  server.use(http.get(url("/api/admin/gameweeks"), () => told(404, "Not now.")));
  await userEvent.click(section.getByRole("button", { name: "Refresh" }));
  expect(await section.findByText(OLD)).toBeInTheDocument();
});

test("players that were found", async () => {
  let answers = true;
  server.use(http.get(url("/api/admin/players"), () => (answers ? json([OTIENO]) : told(404, "Not now."))));
  const section = await part("Find a player", "/panel/players?q=otie");
  expect(await section.findByText("otieno@example.com")).toBeInTheDocument();
  answers = false;
  await userEvent.click(section.getByRole("button", { name: "Search" }));
  expect(await section.findByText(OLD)).toBeInTheDocument();
});

test("a case, and how the admin's own log-in stands", async () => {
  const thread = { _id: "c1", userId: "u7", username: "otieno", about: { kind: "payment", id: "p1" }, state: "open", since: at, ageHours: 3, openedAt: at, known: { state: "SUCCESS" }, thread: [] };
  server.use(
    http.get(url("/api/cases/c1"), () => json(thread)),
    http.get(url("/api/admin/totp"), () => json({ enrolled: false, recoveryCodesLeft: 0 })),
  );
  const client = newQueryClient();
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <CaseAnswer id="c1" />
        <SecondFactor />
      </QueryClientProvider>
    </MemoryRouter>,
  );
  await screen.findByText(/has waited 3 h for an answer/);
  await screen.findByText(/^Off\. /);
  expect(screen.queryByText(OLD)).not.toBeInTheDocument();
  server.use(http.get(url("/api/*"), () => told(404, "Not now.")));
  await client.refetchQueries();
  await waitFor(() => expect(screen.getAllByText(OLD)).toHaveLength(2));
});

const WITHDRAWAL = { _id: "w1", userId: "u7", username: "otieno", mpesaNumber: "0712345678", amount: 450, pays: 450, status: "pending", createdAt: at, flagged: false, flags: [] };
const LEAGUE = { _id: "2026-03-50-00002", gameweek: 3, season: 2026, entryAmount: 50, why: "Team 7.", since: at, decidableFrom: at, decisions: [], teams: [] };
test.each([
  ["Withdrawal Requests", "/panel", "/api/withdraw", [WITHDRAWAL]],
  ["Waiting Leagues", "/panel", "/api/admin/leagues/waiting", { waiting: [LEAGUE], corrected: [], moreCorrected: 0 }],
  ["Money", "/panel/players/u7", "/api/admin/players/u7", { ...OTIENOS_PROFILE, transactions: [{ _id: "t1", kind: "deposit", amount: 100, balanceAfter: 100, at }] }],
])("%s: a further page that does not come is said, and makes nothing old", async (title, address, path, first) => {
  server.use(
    http.get(url(path), ({ request }) =>
      new URL(request.url).searchParams.has("cursor") ? told(404, "Not now.") : json(first, { headers: { "x-next-cursor": "c2" } }),
    ),
  );
  const section = await part(title, address);
  await userEvent.click(await section.findByRole("button", { name: "Show more" }));
  expect(await section.findByRole("alert")).toHaveTextContent("It could not be read just now.");
  expect(screen.queryByText(OLD)).not.toBeInTheDocument();
});
