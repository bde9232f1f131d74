import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { json, noAnswer, server, url } from "../../testing/server";

const STATEMENT = {
  year: 2026,
  username: "wanjiru",
  asOf: "2026-08-22T06:00:00Z",
  opening: 125,
  paidIn: 500,
  excise: -25,
  staked: -150,
  givenBack: 0,
  won: 450,
  takenOut: -450,
  reversed: 0,
  notCovered: 0,
  corrected: 0,
  debtsPaid: 0,
  closing: 450,
  withheld: 22,
  entries: 3,
} satisfies Schemas["YearlyStatement"];

test("the year's lines, the tax, and another year", async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get(url("/api/me/statement"), ({ request }) => {
      const year = new URL(request.url).searchParams.get("year");
      asked.push(year);
      return json(year ? { ...STATEMENT, year: Number(year), withheld: 0 } : STATEMENT);
    }),
  );
  logInAs("player");
  openAt("/transactions");
  await userEvent.click(await screen.findByRole("link", { name: "Statement of a year, to read or print" }));
  const card = within(await screen.findByRole("region", { name: "wanjiru, 2026" }));
  const lines = card.getAllByRole("row").map((row) => row.textContent);
  expect(lines).toEqual([
    "In the wallet as the year beganKSh 125",
    "Paid in by M-Pesa+KSh 500",
    "Excise duty on what was paid in−KSh 25",
    "Staked, in 3 entries−KSh 150",
    "Won+KSh 450",
    "Taken out, less what came back−KSh 450",
    "In the wallet at the endKSh 450",
  ]);
  expect(card.getByText("Of what was taken out, KSh 22 was kept back as withholding tax.")).toBeInTheDocument();
  const print = vi.spyOn(window, "print").mockImplementation(() => undefined);
  await userEvent.click(card.getByRole("button", { name: "Print" }));
  expect(print).toHaveBeenCalledOnce();
  await userEvent.selectOptions(screen.getByLabelText("Year"), "2025");
  expect(await screen.findByRole("region", { name: "wanjiru, 2025" })).toBeInTheDocument();
  expect(screen.queryByText(/withholding tax/)).not.toBeInTheDocument();
  expect(asked).toEqual([null, "2025"]);
});

test("what M-Pesa has taken back is whole, and a line of its own says what the wallet did not cover", async () => {
  const taken = { ...STATEMENT, opening: 0, paidIn: 1000, excise: 0, staked: -950, won: 0, takenOut: 0, reversed: -1000, notCovered: 950, closing: 0, withheld: 0 };
  server.use(http.get(url("/api/me/statement"), () => json(taken)));
  logInAs("player");
  openAt("/statement");
  const card = within(await screen.findByRole("region", { name: "wanjiru, 2026" }));
  const lines = card.getAllByRole("row").map((row) => row.textContent);
  expect(lines.slice(-3)).toEqual([
    "Taken back by M-Pesa−KSh 1,000",
    "Of that, not in the wallet any more: you owe it, or we bear it+KSh 950",
    "In the wallet at the endKSh 0",
  ]);
});

test("where it cannot be read that is said", async () => {
  server.use(http.get(url("/api/me/statement"), noAnswer));
  logInAs("player");
  openAt("/statement");
  expect(await screen.findByText("Your statement could not be read just now.")).toBeInTheDocument();
});
