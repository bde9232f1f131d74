import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { openAt } from "../../testing/app";
import { json, server, told, url } from "../../testing/server";

describe("a league's settlement", () => {
  const place = (rank: number, username: string, change: Partial<Schemas["RankedView"]> = {}): Schemas["RankedView"] => ({
    rank,
    username,
    fplId: `${rank}${username}`,
    gross: 65,
    transfersCost: 0,
    points: 65,
    pointsOnBench: 7,
    prize: 0,
    refund: 0,
    ownFigures: false,
    ...change,
  });
  const RECORD = {
    league: "2026-03-50-00002",
    basis: "two-readings",
    at: "2026-08-25T08:00:00Z",
    deductTransferPoints: true,
    collected: 350,
    fee: 35,
    feePercent: 10,
    rounding: 1,
    figuresHash: "60303ae22b998861",
    ranking: [
      place(1, "wanjiru", { transfersCost: 4, points: 61, prize: 157 }),
      place(1, "otieno", { gross: 61, points: 61, prize: 157 }),
      place(3, "achieng", { gross: 40, points: 40 }),
    ],
  };
  const open = (record: object) => {
    server.use(http.get(url("/api/leagues/2026-03-50-00002/settlement"), () => json(record)));
    openAt("/leagues/2026-03-50-00002/settlement");
  };

  test("the money, and each score as it comes about", async () => {
    open(RECORD);
    expect(await screen.findByRole("heading", { level: 1, name: "Group #2, gameweek 3" })).toBeInTheDocument();
    const money = within(await screen.findByRole("region", { name: "Money" }));
    expect(money.getByText("Paid to players").parentElement).toHaveTextContent("KSh 314");
    expect(money.getByText("Does not divide, stays here").parentElement).toHaveTextContent("KSh 1");
    const ranking = within(screen.getByRole("region", { name: "Ranking" }));
    expect(ranking.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
      "1wanjiruwon KSh 15765 points − 4 for transfers = 61, bench 7",
      "1otienowon KSh 15761 points, bench 7",
      "3achieng40 points, bench 7",
    ]);
    expect(screen.getByText("60303ae22b998861")).toBeInTheDocument();
  });

  test("with the deduction off, transfers are named and not deducted", async () => {
    open({ ...RECORD, deductTransferPoints: false, ranking: [place(1, "wanjiru", { transfersCost: 4 })] });
    expect(await screen.findByText("65 points (4 for transfers not deducted), bench 7")).toBeInTheDocument();
  });

  test("a decision of the operator, its reason, and who had no score", async () => {
    const lost = place(1, "otieno", { rank: null, gross: null, points: null, pointsOnBench: null, refund: 50 });
    open({ ...RECORD, basis: "left-out", reason: "The team was deleted.", ranking: [place(1, "wanjiru"), lost] });
    expect(await screen.findByText(/who had no official score was left out\. The team was deleted\./)).toBeInTheDocument();
    expect(screen.getByText("no official score").closest("li")).toHaveTextContent("–otienorefunded KSh 50no official score");
  });

  test("our own figures, where the official game knew a team no more", async () => {
    open({ ...RECORD, basis: "own-figures", ranking: [place(1, "wanjiru"), place(2, "otieno", { ownFigures: true })] });
    expect(await screen.findByText(/was ranked on our own/)).toBeInTheDocument();
    expect(screen.getByText("65 points, bench 7 (our own figures)")).toBeInTheDocument();
  });

  test("one that is not settled", async () => {
    server.use(http.get(url("/api/leagues/2026-03-50-00002/settlement"), () => told(404, "None.")));
    openAt("/leagues/2026-03-50-00002/settlement");
    expect(await screen.findByText("There is no such league, or it is not settled yet.")).toBeInTheDocument();
  });
});
