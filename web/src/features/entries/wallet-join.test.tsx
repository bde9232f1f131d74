import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { forgetSession } from "../../lib/session";
import { goBack, logInAs, openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { GAMEWEEK, json, noAnswer, server, told, url, USER } from "../../testing/server";

beforeEach(() => logInAs("player"));

/** Opens the wallet's dialog and picks an amount. */
async function joinFor(amount: number, user: Pick<typeof userEvent, "click"> = userEvent) {
  await user.click(await screen.findByRole("button", { name: "Checkout from Wallet" }));
  const dialog = await screen.findByRole("dialog", { name: "Select Entry Amount" });
  await user.click(within(dialog).getByRole("button", { name: `Join for ${amount}` }));
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

  test("the team that is sent is the account's, which may have another one since the page was opened", async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(url("/api/join-league"), async ({ request }) => {
        sent.push(await request.json());
        return json({ message: "Joined." }, { status: 201 });
      }),
    );
    openAt("/payment");
    expect(await screen.findByText("You have not joined yet.")).toBeInTheDocument();
    server.use(http.get(url("/api/user"), () => json({ ...USER, fplId: "777" })));
    await joinFor(50);
    expect(await screen.findByTestId("/leagues")).toBeInTheDocument();
    expect(sent).toEqual([{ fplId: "777", entryAmount: 50, gameweek: 3 }]);
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

  test("what was said of a gameweek is not said of the next one", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let gameweek = 3;
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, gameweek })),
      http.post(url("/api/join-league"), () => told(409, "You already joined this gameweek.")),
    );
    openAt("/payment");
    await joinFor(50, userEvent.setup({ advanceTimers: vi.advanceTimersByTime }));
    expect(await screen.findByText("You already joined this gameweek.")).toBeInTheDocument();
    gameweek = 4;
    await vi.advanceTimersByTimeAsync(61_000);
    await expect.poll(() => screen.queryByText("You already joined this gameweek.")).toBeNull();
  });

  test("an empty wallet whose player is in already, from another phone: told so, and not to top up", async () => {
    let isIn = false;
    const entry = { gameweek: "2026-03", season: 2026, number: 3, amount: 50, prize: 0, refund: 0, at: "2026-08-20T08:00:00Z" };
    server.use(
      http.get(url("/api/user"), () => json({ ...USER, wallet: 0 })),
      http.get(url("/api/me/entries"), () => json({ entries: isIn ? [entry] : [], profitAndLoss: 0 })),
    );
    openAt("/payment");
    expect(await screen.findByText("You have not joined yet.")).toBeInTheDocument();
    isIn = true;
    await joinFor(50);
    expect(await screen.findByText("You already joined this gameweek.")).toBeInTheDocument();
    expect(await screen.findByText("You are in: KSh 50.")).toBeInTheDocument();
    expect(screen.queryByText(/Insufficient/)).not.toBeInTheDocument();
  });

  test("who owes is told so, and not that a stake's deposit would be enough", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, wallet: 0, owed: 300 })));
    openAt("/payment");
    await joinFor(50);
    const deposit = within(await screen.findByRole("dialog", { name: "Deposit to Wallet" }));
    expect(deposit.getAllByText(/^You owe KSh 300: .* A deposit pays it first;/)).toHaveLength(1);
    expect(screen.queryByText(/Insufficient/)).not.toBeInTheDocument();
  });

  test("who goes back while the server decides is told on the page what came of it", async () => {
    const decided = gate<Response>();
    server.use(http.post(url("/api/join-league"), decided.wait));
    openAt("/payment");
    await joinFor(50);
    await decided.asked;
    act(goBack);
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
    decided.open(told(400, "The deadline has passed."));
    expect(await screen.findByText("The deadline has passed.")).toBeInTheDocument();
    expect(screen.queryByRole("dialog", { name: "Select Entry Amount" })).not.toBeInTheDocument();
  });

  test("who joined from another phone meanwhile is refused, and the page says from then on that they are in", async () => {
    const entry = { gameweek: "2026-03", season: 2026, number: 3, amount: 250, prize: 0, refund: 0, at: "2026-08-20T08:00:00Z" };
    let isIn = false;
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: isIn ? [entry] : [], profitAndLoss: 0 })),
      http.post(url("/api/join-league"), () => told(409, "You already joined this gameweek.")),
    );
    openAt("/payment");
    expect(await screen.findByText("You have not joined yet.")).toBeInTheDocument();
    isIn = true;
    await joinFor(50);
    expect(await screen.findByText("You are in: KSh 250.")).toBeInTheDocument();
    expect(screen.queryByText("You have not joined yet.")).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Checkout from Wallet" })).toBeDisabled();
  });

  test("no gameweek known, and tried again: it is asked again", async () => {
    let asked = 0;
    server.use(
      http.get(url("/current-gameweek"), () => json({ currentGameweek: (asked += 1) > 1 ? 3 : null })),
      http.post(url("/api/join-league"), () => json({}, { status: 201 })),
    );
    openAt("/payment");
    await joinFor(50);
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    await dialog.findByRole("alert");
    await userEvent.click(dialog.getByRole("button", { name: "Join for 50" }));
    expect(await screen.findByTestId("/leagues")).toBeInTheDocument();
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
