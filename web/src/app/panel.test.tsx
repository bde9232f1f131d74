import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { MemoryRouter } from "react-router";
import { describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../testing/app";
import { GAMEWEEK, json, server, told, url, USER } from "../testing/server";
import { AtAGlance } from "./AtAGlance";
import { newQueryClient } from "./Providers";

describe("the panel (spec section 2)", () => {
  test("who is not logged in does that first", async () => {
    openAt("/panel");
    expect(await screen.findByTestId("/login")).toBeInTheDocument();
  });

  test("a player is sent to the main page", async () => {
    logInAs("player");
    openAt("/panel");
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
  });

  test("at a glance: what waits and since when, the gameweek's money, what the machines found", async () => {
    logInAs("admin");
    const withdrawal = (_id: string, createdAt: string, change: object = {}) => ({ _id, userId: "u7", username: "otieno", mpesaNumber: "254712345678", amount: 450, status: "pending", createdAt, flagged: false, flags: [], ...change });
    server.use(
      http.get(url("/api/withdraw"), () =>
        json([
          withdrawal("w1", "2026-08-20T06:00:00Z"),
          withdrawal("w2", "2026-08-20T08:30:00Z", { waitsUntil: "2026-08-20T08:59:00Z", saidSentUntil: "2026-08-20T08:58:00Z" }),
          withdrawal("w3", "2026-08-01T06:00:00Z", { status: "done" }),
          // Neither can be paid yet.
          withdrawal("w4", "2026-08-19T06:00:00Z", { waitsUntil: "2026-08-20T09:30:00Z" }),
          withdrawal("w5", "2026-08-19T06:00:00Z", { saidSentUntil: "2026-08-20T09:30:00Z" }),
        ]),
      ),
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, amounts: [{ entryAmount: 50, entries: 12, fullLeaguePrize: 450 }] })),
      http.get(url("/api/admin/gameweeks"), () =>
        json([
          { gameweek: "2026-01", season: 2026, number: 1, deadline: "2026-08-15T10:00:00Z", state: "final", finalAt: "2026-08-18T09:00:00Z", calledOff: null, former: false },
          { gameweek: "2026-02", season: 2026, number: 2, deadline: "2026-08-19T10:00:00Z", state: "closed", finalAt: null, calledOff: null, former: false },
        ]),
      ),
    );
    openAt("/panel");
    const waits = within(await screen.findByRole("region", { name: "What waits for you" }));
    expect(await waits.findByRole("link", { name: /^Withdrawals: 2\s*the oldest 3 h$/ })).toHaveAttribute("href", "#withdrawals");
    expect(await waits.findByRole("link", { name: /^Gameweeks to end: 1\s*the oldest 2 d$/ })).toHaveAttribute("href", "#gameweeks");
    expect(waits.getByText("Typed codes: 0").closest("a")).toBeNull();
    // Two leagues of six: KSh 30 of each is the fee.
    const money = within(screen.getByRole("region", { name: "This gameweek’s money" }));
    expect(money.getByRole("img", { name: "KSh 600, of which KSh 60 is the fee" })).toBeInTheDocument();
    expect(screen.getByText("The books have not been read yet.")).toBeInTheDocument();
  });

  test("at a glance: a list that cannot be read says so and leads there, and so does one of which nothing waits so far", async () => {
    logInAs("admin");
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const sent = { _id: "w1", userId: "u7", username: "otieno", mpesaNumber: "254712345678", amount: 450, status: "pending", payout: "sent", createdAt: "2026-08-20T06:00:00Z", flagged: false, flags: [] };
    server.use(
      http.get(url("/api/withdraw"), () => json([sent], { headers: { "x-next-cursor": "c2" } })),
      http.get(url("/api/manual-payment/pending"), () => told(403, "Not yours.")),
      http.get(url("/api/admin/leagues/waiting"), () => told(403, "Not yours.")),
      http.get(url("/api/admin/approvals"), () => told(403, "Not yours.")),
      http.get(url("/api/gameweek/status"), () => told(400, "Not now.")),
    );
    openAt("/panel");
    const waits = within(await screen.findByRole("region", { name: "What waits for you" }));
    expect(await waits.findByRole("link", { name: "Withdrawals: none so far, the list goes on" })).toHaveAttribute("href", "#withdrawals");
    expect(await waits.findByRole("link", { name: "Typed codes: could not be read" })).toHaveAttribute("href", "#codes");
    expect(await waits.findByRole("link", { name: "Leagues: could not be read" })).toHaveAttribute("href", "#waiting-leagues");
    expect(await waits.findByRole("link", { name: "Approvals: could not be read" })).toHaveAttribute("href", "/panel/approvals");
    const money = within(screen.getByRole("region", { name: "This gameweek’s money" }));
    expect(await money.findByText("The gameweek could not be read just now.")).toBeInTheDocument();
    const machines = within(screen.getByRole("region", { name: "What the machines say" }));
    expect(await machines.findByText("Nothing has failed for good.")).toBeInTheDocument();
    expect(machines.queryByText(/^The official game/)).not.toBeInTheDocument();
  });

  test.each([
    ["open", "Cases: 1 or more"],
    ["answered", "Cases: 1"],
  ])("at a glance: what waits comes first among the cases, so the count is exact where %s ones follow", async (state, text) => {
    logInAs("admin");
    const one = { _id: "c1", userId: "u7", username: "otieno", about: { kind: "payment", id: "p1" }, state: "open", since: "2026-08-20T06:00:00Z", ageHours: 3 };
    const cases = state === "open" ? [one] : [one, { ...one, _id: "c2", state }];
    server.use(http.get(url("/api/admin/cases"), () => json(cases, { headers: { "x-next-cursor": "c2" } })));
    openAt("/panel");
    const waits = within(await screen.findByRole("region", { name: "What waits for you" }));
    expect(await waits.findByText(text)).toBeInTheDocument();
  });

  test("at a glance: the first page has all that wait for a second admin, so their count is exact where the list goes on", async () => {
    logInAs("admin");
    const proposal = (_id: string, state: string, proposedAt: string) => ({ _id, state, proposedAt });
    const proposals = [proposal("a1", "waiting", "2026-08-20T06:00:00Z"), proposal("a2", "waiting", "2026-08-20T08:30:00Z"), proposal("a3", "refused", "2026-08-20T08:00:00Z")];
    server.use(http.get(url("/api/admin/approvals"), () => json(proposals, { headers: { "x-next-cursor": "c2" } })));
    openAt("/panel");
    const waits = within(await screen.findByRole("region", { name: "What waits for you" }));
    expect(await waits.findByRole("link", { name: /^Approvals: 2\s*the oldest 3 h$/ })).toHaveAttribute("href", "/panel/approvals");
  });

  const queue = (name: string, waiting = 0, failed = 0) => ({ name, waiting, failed });
  const MACHINES: [string, object, string[]][] = [
    [
      "work",
      { calendarReadAt: "2026-08-20T08:55:00Z", queues: [queue("mails"), queue("payments")], failedEvents: 0 },
      ["The official game was read 5 min ago.", "Nothing waits in the queues.", "Nothing has failed for good."],
    ],
    [
      "have work",
      { calendarReadAt: "2026-08-20T08:55:00Z", queues: [queue("mails", 12), queue("payments", 3), queue("teams")], failedEvents: 0 },
      ["In the queues: 12 of mails, 3 of payments.", "Nothing has failed for good."],
    ],
    [
      "have failed",
      { calendarReadAt: null, queues: [queue("mails", 0, 2), queue("payments", 0, 1)], failedEvents: 1 },
      ["The official game has not been read yet.", "Failed for good: 2 of mails, 1 of payments, 1 event of a job."],
    ],
  ];
  test.each(MACHINES)("the machines %s", async (_, backlog, texts) => {
    logInAs("admin");
    server.use(http.get(url("/api/admin/backlog"), () => json(backlog)));
    openAt("/panel");
    const machines = within(await screen.findByRole("region", { name: "What the machines say" }));
    for (const text of texts) expect(await machines.findByText(text)).toBeInTheDocument();
  });

  test("what the machines do is said to be unknown where it cannot be had", async () => {
    logInAs("admin");
    server.use(http.get(url("/api/admin/backlog"), () => told(403, "Not yours.")));
    openAt("/panel");
    expect(await screen.findByText("What waits for the jobs could not be read just now.")).toBeInTheDocument();
  });

  test("figures that cannot be read again say so, and stay", async () => {
    logInAs("admin");
    const client = newQueryClient();
    render(
      <MemoryRouter>
        <QueryClientProvider client={client}>
          <AtAGlance />
        </QueryClientProvider>
      </MemoryRouter>,
    );
    const inAll = ["What waits for you", "This gameweek’s money", "What the machines say"].map((name) => within(screen.getByRole("region", { name })));
    const [waits, money, machines] = inAll;
    await waits?.findByText(/^Cases: \d/);
    await money?.findAllByRole("img");
    await machines?.findByText("The books have not been read yet.");
    await machines?.findByText("Nothing has failed for good.");
    const old = /could not be read again just now/;
    expect(screen.queryByText(old)).not.toBeInTheDocument();
    server.use(http.get(url("/api/*"), () => told(403, "Not now.")));
    await client.refetchQueries();
    await waitFor(() => expect(waits?.getAllByText(old)).toHaveLength(7));
    expect(money?.getAllByText(old)).toHaveLength(1);
    expect(machines?.getAllByText(old)).toHaveLength(2);
    expect(waits?.getByText(/^Cases: \d/)).toBeInTheDocument();
    expect(money?.getAllByRole("img")).not.toHaveLength(0);
  });

  test("an admin finds the way back to the panel, and a player none", async () => {
    logInAs("admin");
    const { unmount } = openAt("/contact");
    expect(await screen.findByRole("link", { name: "Admin panel" })).toHaveAttribute("href", "/panel");
    unmount();
    logInAs("player");
    openAt("/contact");
    await screen.findByRole("link", { name: "Terms" });
    expect(screen.queryByRole("link", { name: "Admin panel" })).not.toBeInTheDocument();
  });

  test("its sections", async () => {
    logInAs("admin");
    openAt("/panel");
    for (const name of ["Gameweek Control", "Pending Manual Payments", "Withdrawal Requests", "Influencer Links"]) {
      expect(await screen.findByRole("region", { name })).toBeInTheDocument();
    }
  });

  const GONE = [
    ["is suspended", { ...USER, role: "admin", suspended: true }, "Another admin can end the suspension."],
    ["has lost the role", USER, "not an admin's any more"],
  ] as const;

  test.each(GONE)("an admin whose account %s is told so, and led back", async (_what, user, text) => {
    logInAs("admin");
    server.use(http.get(url("/api/user"), () => json(user)));
    openAt("/panel");
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(screen.queryByRole("region")).not.toBeInTheDocument();
    // It would be kept, and nothing of it seen here.
    expect(screen.queryByRole("button", { name: "Kiswahili" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Back to the main page" }));
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
  });

  test.each(GONE)("the first refusal after an account %s says so", async (_what, user, text) => {
    logInAs("admin");
    openAt("/panel");
    const links = within(await screen.findByRole("region", { name: "Influencer Links" }));
    server.use(
      http.get(url("/api/user"), () => json(user)),
      http.get(url("/api/influencers"), () => told(403, "You are not allowed to do this.")),
    );
    await userEvent.click(links.getByRole("button", { name: /refresh/i }));
    expect(await screen.findByText(new RegExp(text))).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Influencer Links" })).not.toBeInTheDocument();
  });

  test("another refusal leaves the panel as it is", async () => {
    logInAs("admin");
    server.use(http.get(url("/api/influencers"), () => told(403, "You are not allowed to do this.")));
    openAt("/panel");
    expect(await screen.findByRole("region", { name: "Withdrawal Requests" })).toBeInTheDocument();
  });
});
