import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../api/client";
import { forgetSession } from "../lib/session";
import { logInAs, openAt } from "../testing/app";
import { gate } from "../testing/gate";
import { GAMEWEEK, json, noAnswer, server, told, url, USER } from "../testing/server";

beforeEach(() => logInAs("player"));

const ENTRY = {
  gameweek: "2026-03",
  season: 2026,
  number: 3,
  amount: 100,
  at: "2026-08-20T08:00:00Z",
  prize: 0,
  refund: 0,
} satisfies Schemas["EntryView"];

describe("the main page (spec section 2)", () => {
  test("greets, shows the balance, the rules and what can be paid", async () => {
    openAt("/payment");
    expect(await screen.findByText("Hello, wanjiru")).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Ready for the Gameweek?" })).toBeInTheDocument();
    expect(await screen.findByText("KSh 500")).toBeInTheDocument();
    for (const amount of [50, 100, 250]) {
      expect(screen.getByRole("button", { name: `KSh ${amount}` })).toBeEnabled();
    }
    expect(await screen.findByText("KSh 2,250")).toBeInTheDocument();
    expect(screen.getByText("Sat 22 Aug, 13:30")).toBeInTheDocument();
    expect(localStorage.getItem("wallet")).toBe("500");
    await userEvent.click(screen.getByRole("button", { name: "View Leagues" }));
    expect(await screen.findByTestId("/leagues")).toBeInTheDocument();
  });

  test("closed: entries are disabled and the deadline has passed (spec section 4)", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })));
    openAt("/payment");
    expect((await screen.findAllByText("The deadline has passed.")).length).toBeGreaterThan(0);
    for (const name of ["KSh 50", "KSh 100", "KSh 250", "Checkout from Wallet"]) {
      expect(screen.getByRole("button", { name })).toBeDisabled();
    }
  });

  test("closed: the wallet's dialog takes no entry either (spec section 4)", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })));
    openAt("/checkout-wallet");
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    expect(await dialog.findByText("The deadline has passed.")).toBeInTheDocument();
    for (const button of dialog.getAllByRole("button", { name: /^Join for/ })) expect(button).toBeDisabled();
  });

  test("entries that are paused: the server's words, and nothing can be pressed (decisions)", async () => {
    const notice = "Entries are paused for a moment. Your money is safe.";
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, notice })));
    openAt("/payment");
    expect(await screen.findByText(notice)).toBeInTheDocument();
    for (const name of ["KSh 50", "Checkout from Wallet"]) expect(screen.getByRole("button", { name })).toBeDisabled();
    expect(screen.getByText("left to join")).toBeInTheDocument();
  });

  test.each([
    ["who is in reads so, and is led to that amount's leagues", [ENTRY], "You are in: KSh 100.", "?amount=100"],
    ["who is not in reads that", [], "You have not joined yet.", ""],
    ["an entry of a season before is none", [{ ...ENTRY, at: "2025-08-30T09:00:00Z" }], "You have not joined yet.", ""],
  ])("%s", async (_what, entries, text, query) => {
    server.use(http.get(url("/api/me/entries"), () => json({ entries, profitAndLoss: 0 })));
    openAt("/payment");
    expect(await screen.findByText(text)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "View Leagues" }));
    expect((await screen.findByTestId("/leagues")).textContent).toBe(query);
  });

  test("a balance that cannot be read says so", async () => {
    server.use(http.get(url("/api/user"), noAnswer));
    openAt("/payment");
    expect(await screen.findByText(/could not be read just now/, {}, { timeout: 5_000 })).toBeInTheDocument();
  });
});

describe("the main page's parts, one by one (spec section 2)", () => {
  test("'Join a League' scrolls to the greeting", async () => {
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "Join a League" }));
    expect(scrolled.mock.contexts).toEqual([screen.getByText("Hello, wanjiru")]);
  });

  test("the rules list (spec sections 2 and 5)", async () => {
    openAt("/payment");
    const rules = within(await screen.findByRole("region", { name: "Rules" }));
    const texts = rules.getAllByRole("listitem").map((item) => item.textContent);
    for (const rule of [/a minimum of KSh 50, or the amount you desire/, /league of 10 players/, /top scorer/, /bench points/, /extra transfer/, /reset every week/]) {
      expect(texts.filter((text) => rule.test(text))).toHaveLength(1);
    }
  });

  test("'Top up' opens the dialog for a code, the profile icon the profile", async () => {
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "Top up" }));
    expect(await screen.findByRole("dialog", { name: "Top up with an M-Pesa code" })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await userEvent.click(screen.getByRole("button", { name: "Profile" }));
    expect(await screen.findByRole("dialog", { name: "Profile" })).toBeInTheDocument();
  });

  test.each([50, 100, 250])("%i opens the phone-number dialog, titled 'Pay KSh {amount}'", async (amount) => {
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: `KSh ${amount}` }));
    const dialog = within(await screen.findByRole("dialog", { name: `Pay KSh ${amount}` }));
    expect(dialog.getByLabelText("Phone number")).toBeInTheDocument();
  });

  test("'Checkout from Wallet' offers 50, 100 and 250, each with its prize and how many have joined (spec sections 2 and 5)", async () => {
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "Checkout from Wallet" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    expect(dialog.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Join for 50KSh 450 if the league fills; it pays 90 % of what it collects. 7 joined.",
      "Join for 100KSh 900 if the league fills; it pays 90 % of what it collects. 0 joined.",
      "Join for 250KSh 2,250 if the league fills; it pays 90 % of what it collects. 1 joined.",
    ]);
  });

  test("nothing to play: said so, and no deadline", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, gameweek: null, deadline: null })));
    openAt("/payment");
    expect(await screen.findByText("There is no gameweek to play just now.")).toBeInTheDocument();
  });
});

describe("a new season (decisions)", () => {
  async function link(typed: string) {
    server.use(http.get(url("/api/user"), () => json({ ...USER, needsTeam: true })));
    openAt("/payment");
    await userEvent.type(await screen.findByLabelText("FPL ID"), typed);
    await userEvent.click(screen.getByRole("button", { name: "Link my team" }));
  }

  test("asks for the team's new id, and plays on with it", async () => {
    const sent: unknown[] = [];
    server.use(
      http.put(url("/api/user/team"), async ({ request }) => {
        sent.push(await request.json());
        return json({ fplId: "777", teamName: "Nairobi Rangers", message: "Your team is linked." });
      }),
    );
    await link("777");
    expect(await screen.findByText("Your team is linked. Welcome, Nairobi Rangers.")).toBeInTheDocument();
    expect(sent).toEqual([{ fplId: "777" }]);
    expect(localStorage.getItem("fplId")).toBe("777");
  });

  test("an id that is none is told at the field, a refusal in the server's words", async () => {
    server.use(http.put(url("/api/user/team"), () => told(409, "That team is linked to another account.")));
    await link("7a");
    expect(screen.getByLabelText("FPL ID")).toHaveAccessibleDescription("FPL ID must be a numeric value.");
    await userEvent.type(screen.getByLabelText("FPL ID"), "{backspace}7");
    await userEvent.click(screen.getByRole("button", { name: "Link my team" }));
    expect(await screen.findByText("That team is linked to another account.")).toBeInTheDocument();
  });
});

/** Opens the wallet's dialog and picks an amount. */
async function joinFor(amount: number) {
  await userEvent.click(await screen.findByRole("button", { name: "Checkout from Wallet" }));
  const dialog = await screen.findByRole("dialog", { name: "Select Entry Amount" });
  await userEvent.click(within(dialog).getByRole("button", { name: `Join for ${amount}` }));
}

describe("wallet join (spec section 4)", () => {
  test("201: the wallet is read anew, the join stored, on to /leagues", async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(url("/api/join-league"), async ({ request }) => {
        sent.push(await request.json());
        return json({ message: "Joined." }, { status: 201 });
      }),
      // It covers the entry, and no more.
      http.get(url("/api/user"), () => json({ ...USER, wallet: 100 })),
      http.get(url("/api/users/u1/wallet"), () => json({ wallet: 0 })),
    );
    openAt("/payment");
    await joinFor(100);
    expect(await screen.findByTestId("/leagues")).toBeInTheDocument();
    expect(sent).toEqual([{ fplId: USER.fplId, entryAmount: 100, gameweek: 3 }]);
    expect(localStorage.getItem("wallet")).toBe("0");
    expect(localStorage.getItem("entryAmount")).toBe("100");
    expect(localStorage.getItem("joinedLeague")).toBe("true");
    expect(localStorage.getItem("gameweek")).toBe("3");
  });

  test.each([
    ["the server's", () => told(409, "You already joined this gameweek.")],
    ["the default", () => json({}, { status: 409 })],
  ])("409: the message, %s, shows and the dialog closes (spec sections 4 and 8)", async (_whose, answer) => {
    server.use(http.post(url("/api/join-league"), answer));
    openAt("/payment");
    await joinFor(50);
    expect(await screen.findByText("You already joined this gameweek.")).toBeInTheDocument();
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  });

  test("a balance too small closes the dialog and opens the top-up with the text (spec sections 5 and 8)", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, wallet: 40 })));
    openAt("/payment");
    await joinFor(50);
    const dialog = await screen.findByRole("dialog", { name: "Deposit to Wallet" });
    expect(within(dialog).getByRole("alert")).toHaveTextContent(
      "Insufficient wallet balance for KSh 50. Please top up.",
    );
    await expect.poll(() => screen.getAllByRole("dialog")).toHaveLength(1);
  });

  test.each([
    ["the server's message", () => told(400, "The deadline has passed."), "The deadline has passed.", /^Nothing was taken/],
    ["none given", () => json({}, { status: 500 }), "Failed to join league. Try again.", /nobody pays twice\.$/],
    ["no answer", noAnswer, "An error occurred. Please try again.", /nobody pays twice\.$/],
  ])("anything else, %s: the text and what became of the money (spec section 8)", async (_what, answer, text, money) => {
    server.use(http.post(url("/api/join-league"), answer));
    openAt("/payment");
    await joinFor(50);
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(within(screen.getByRole("dialog", { name: "Select Entry Amount" })).getByText(money)).toBeInTheDocument();
  });

  test("what went wrong stands above the buttons: none comes under the thumb that pressed another", async () => {
    server.use(http.post(url("/api/join-league"), () => told(400, "The deadline has passed.")));
    openAt("/payment");
    await joinFor(50);
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    const alert = await dialog.findByRole("alert");
    const [first] = dialog.getAllByRole("button", { name: /^Join for/ });
    expect(alert.compareDocumentPosition(first!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(dialog.getByText("KSh 500")).toBeInTheDocument();
  });

  test("no gameweek known: said so (spec sections 5 and 8)", async () => {
    server.use(http.get(url("/current-gameweek"), () => json({ currentGameweek: null })));
    openAt("/payment");
    await joinFor(50);
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Could not determine current gameweek. Try again shortly.",
    );
  });

  test("the overlay stands while it runs, and a second submit goes nowhere (spec section 2)", async () => {
    let joins = 0;
    const join = gate<Response>();
    server.use(
      http.post(url("/api/join-league"), () => {
        joins += 1;
        return join.wait();
      }),
    );
    openAt("/payment");
    await joinFor(50);
    expect(await screen.findByRole("dialog", { name: "Processing your payment, please wait..." })).toBeInTheDocument();
    for (const button of screen.getAllByRole("button", { name: /^Join for/ })) {
      expect(button).toBeDisabled();
      await userEvent.click(button);
    }
    await join.asked;
    join.open(json({}, { status: 201 }));
    expect(await screen.findByTestId("/leagues")).toBeInTheDocument();
    expect(screen.queryByText("Processing your payment, please wait...")).not.toBeInTheDocument();
    expect(joins).toBe(1);
  });

  test("/checkout-wallet is the dialog's own address, for players only (spec section 2)", async () => {
    const { unmount } = openAt("/checkout-wallet");
    expect(await screen.findByRole("dialog", { name: "Select Entry Amount" })).toBeInTheDocument();
    unmount();
    forgetSession();
    openAt("/checkout-wallet");
    expect(await screen.findByTestId("/login")).toBeInTheDocument();
  });
});
