import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { BALANCE_PROOF, TRUST } from "../../../../e2e/trust-answers";
import { logInAs, openAt } from "../../../testing/app";
import { json, server, url } from "../../../testing/server";
import { kshOfCents } from "./cents";

const tells = (trust: object) => server.use(http.get(url("/api/trust"), () => json({ ...TRUST, ...trust })));
const proves = (proof: object) => server.use(http.get(url("/api/me/proof"), () => json({ ...BALANCE_PROOF, ...proof })));

describe("books for everybody", () => {
  test("the wallets, what M-Pesa holds, and what lies between: together they are what it holds", async () => {
    tells({});
    openAt("/trust");
    const money = within(await screen.findByRole("region", { name: "Players’ money" }));
    const figures = money.getAllByRole("definition").map((figure) => figure.textContent);
    expect(figures).toEqual(["KSh 412,350", "KSh 20,000", "KSh 3,600", "KSh 1,350", "−KSh 119.50", "KSh 437,180.50"]);
    expect(screen.getByText("Gameweek 2026-02: 274 entries, KSh 12,330 in prizes")).toBeInTheDocument();
    expect(screen.getByText(/not all prizes paid yet$/)).toBeInTheDocument();
    expect(screen.getByText(/verify-draw 2026-02/)).toBeInTheDocument();
    expect(screen.getByText(/^Gameweeks with fewer than 5 entries/)).toBeInTheDocument();
  });

  test("of one account M-Pesa’s word is told beside the lines, which come to what all accounts should hold", async () => {
    const [pots, , operator] = TRUST.sums!.lines;
    const mpesa = { ...TRUST.sums!.mpesa!, cents: 4_000_050, allAccounts: false };
    tells({ sums: { wallets: 412_350, booked: 433_700, mpesa, lines: [pots, operator] } });
    openAt("/trust");
    const money = within(await screen.findByRole("region", { name: "Players’ money" }));
    const figures = money.getAllByRole("definition").map((figure) => figure.textContent);
    expect(figures).toEqual(["KSh 412,350", "KSh 20,000", "KSh 1,350", "KSh 433,700"]);
    expect(money.getByText("M-Pesa should hold, by the books")).toBeInTheDocument();
    expect(money.getByText(/^The account that withdrawals are paid from holds KSh 40,000\.50, as M-Pesa said /)).toBeInTheDocument();
  });

  test.each([
    [1, "In the books one figure does not agree. We are looking into it."],
    [2, "In the books 2 figures do not agree. We are looking into it."],
  ])("%i that does not agree is said to", async (differences, said) => {
    tells({ differences });
    openAt("/trust");
    expect(await screen.findByText(said)).toBeInTheDocument();
  });

  test("before the first reading it says so, and of few players it tells nothing", async () => {
    tells({ asOf: null, sums: null, root: null });
    const { unmount } = openAt("/trust");
    expect(await screen.findByText(/They were not read yet/)).toBeInTheDocument();
    unmount();
    tells({ sums: null, root: null });
    openAt("/trust");
    expect(await screen.findByText(/^Fewer than 5 players hold money/)).toBeInTheDocument();
    expect(screen.getByText("No root is published of this reading.")).toBeInTheDocument();
  });
});

describe("a player's own balance", () => {
  test("leads to the published root", async () => {
    logInAs("player");
    tells({});
    proves({});
    openAt("/proof");
    expect(await screen.findByText(/^Yes: your money is in the sum/)).toBeInTheDocument();
    expect(screen.getByText(/your wallet held KSh 150/)).toBeInTheDocument();
  });

  test.each([
    ["another balance", { balance: 151 }, /the leaf is not that of this balance/],
    ["a reading that is not published", { asOf: "2026-08-20T21:00:00Z" }, /does not lead to the root that is published/],
  ])("%s does not", async (_, proof, said) => {
    logInAs("player");
    tells({});
    proves(proof);
    openAt("/proof");
    expect(await screen.findByRole("alert")).toHaveTextContent(said);
  });

  test("of a reading that is newer than what is published here is not called wrong", async () => {
    logInAs("player");
    tells({});
    proves({ asOf: "2026-08-24T21:00:00Z" });
    openAt("/proof");
    expect(await screen.findByText(/is not published here yet\. Look again in an hour\.$/)).toBeInTheDocument();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  test("that could not be checked is not called right", async () => {
    logInAs("player");
    tells({});
    proves({});
    vi.spyOn(crypto.subtle, "digest").mockRejectedValue(new Error("no"));
    openAt("/proof");
    expect(await screen.findByText("It could not be checked just now.")).toBeInTheDocument();
    expect(screen.queryByText(/^Yes/)).not.toBeInTheDocument();
  });
});

test.each([
  [0, "KSh 0"],
  [123_400, "KSh 1,234"],
  [-5, "−KSh 0.05"],
])("%s cents are %s", (cents, text) => expect(kshOfCents(cents)).toBe(text));
