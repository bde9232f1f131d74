import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { json, noAnswer, server, SETTINGS, url, USER } from "../../testing/server";

const STOPPED = { kind: "break", until: "2027-01-01T00:00:00Z" };
const PROOF = { fplId: USER.fplId, proved: false, code: null, teamName: null, expiresAt: null } satisfies Schemas["TeamProof"];
const BOOKED = "The prize is booked to your wallet.";
const TO_M_PESA = /withdraw it to M-Pesa/;

const won = (prize: number, towardsDebt = 0, line: string | null = null) =>
  server.use(
    http.get(url("/api/me/entries"), () =>
      json({
        entries: [
          {
            gameweek: "2026-02",
            season: 2026,
            number: 2,
            amount: 50,
            league: "2026-02-50-00007",
            rank: 1,
            points: 78,
            prize,
            refund: 0,
            towardsDebt,
            line,
            at: "2026-08-20T06:00:00Z",
          } satisfies Schemas["EntryView"],
        ],
        profitAndLoss: 0,
      }),
    ),
  );
/** `wallet`: as it is by now. */
const has = (change: object, wallet?: number) => {
  const user = { ...USER, ...change };
  server.use(
    http.get(url("/api/user"), () => json(user)),
    http.get(url("/api/users/:id/wallet"), () => json({ wallet: wallet ?? user.wallet })),
  );
};
const fullSafeguards = () => server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, safeguards: "full" })));
const proof = (answer: () => Response) => {
  const asked = vi.fn(answer);
  server.use(http.get(url("/api/user/team/proof"), asked));
  return asked;
};

/** What the winner reads and can press. */
async function news(prize = 450) {
  openAt("/payment");
  const told = within(await screen.findByRole("dialog", { name: `You won KSh ${prize}` }));
  return {
    told,
    withdraws: told.queryByRole("button", { name: "Withdraw" }) !== null,
    playsOn: told.queryByRole("button", { name: "Play on with it" }) !== null,
    proves: told.queryByRole("link", { name: "prove that your team is yours" }),
  };
}

beforeEach(() => logInAs("player"));

test("where a prize goes out only once its team is proved, a winner who has not is led to that", async () => {
  fullSafeguards();
  proof(() => json(PROOF));
  won(450);
  const { told, withdraws, playsOn, proves } = await news();
  expect(told.getByText(BOOKED)).toBeInTheDocument();
  expect(told.queryByText(TO_M_PESA)).not.toBeInTheDocument();
  expect(proves).toHaveAttribute("href", "/team");
  expect(proves?.closest("p")).toHaveTextContent("To withdraw what you have won, first prove that your team is yours.");
  expect(withdraws).toBe(false);
  expect(playsOn).toBe(true);
});

test.each([
  ["who has proved it", () => json({ ...PROOF, proved: true })],
  ["of whom it cannot be read", noAnswer],
])("%s can withdraw at once", async (_who, answer) => {
  fullSafeguards();
  proof(answer);
  won(450);
  const { told, withdraws, proves } = await news();
  expect(told.getByText(TO_M_PESA)).toBeInTheDocument();
  expect(withdraws).toBe(true);
  expect(proves).toBeNull();
});

test.each([
  ["who has no team this season", { fplId: "" }],
  ["who has another team by now", { fplId: "118670" }],
  ["who has proved another team", { fplId: "118670", proved: true }],
])("%s is not told that it can be withdrawn, nor to prove that team; trying tells", async (_who, change) => {
  fullSafeguards();
  proof(() => json({ ...PROOF, ...change }));
  won(450, 0, `0198c6f8d1b87a3c9f5e2b7a4c1d0e6f ${USER.fplId} 60303ae2`);
  const { told, withdraws, proves } = await news();
  expect(told.getByText(BOOKED)).toBeInTheDocument();
  expect(told.queryByText(TO_M_PESA)).not.toBeInTheDocument();
  expect(withdraws).toBe(true);
  expect(proves).toBeNull();
});

test("where no proof is wanted, none is asked after", async () => {
  const asked = proof(() => json(PROOF));
  won(450);
  const { withdraws, proves } = await news();
  expect(withdraws).toBe(true);
  expect(proves).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

test("a share of a prize that is less than what is paid out is for the next gameweek", async () => {
  fullSafeguards();
  proof(() => json(PROOF));
  has({ wallet: 54 });
  won(54);
  const { told, withdraws, playsOn, proves } = await news(54);
  expect(told.getByText(BOOKED)).toBeInTheDocument();
  expect(told.getByText("What is in your wallet can be used for the next gameweek. Withdrawals start at KSh 60.")).toBeInTheDocument();
  expect(withdraws).toBe(false);
  expect(playsOn).toBe(true);
  expect(proves).toBeNull();
});

test("who has stopped playing is told only from how much on it is paid out", async () => {
  has({ wallet: 54, stopped: STOPPED });
  won(54);
  const { told, withdraws, playsOn } = await news(54);
  expect(told.getByText("Withdrawals start at KSh 60.")).toBeInTheDocument();
  expect(told.queryByText(/next gameweek/)).not.toBeInTheDocument();
  expect(withdraws).toBe(false);
  expect(playsOn).toBe(false);
});

test("a prize that is booked while the page is open can be withdrawn at once", async () => {
  has({ wallet: 0 }, 450);
  won(450);
  expect((await news(450)).withdraws).toBe(true);
});

test("with what was in the wallet before, a small prize can be withdrawn", async () => {
  has({ wallet: 60 });
  won(54);
  const { told, withdraws } = await news(54);
  expect(told.getByText(TO_M_PESA)).toBeInTheDocument();
  expect(withdraws).toBe(true);
});

test("of a prize of which a debt leaves little, that little is for the next gameweek", async () => {
  has({ wallet: 10 });
  won(450, 440);
  const { told, withdraws } = await news();
  expect(told.getByText("KSh 440 of it has gone towards what you owed, KSh 10 is in your wallet.")).toBeInTheDocument();
  expect(told.getByText(/^What is in your wallet can be used for the next gameweek/)).toBeInTheDocument();
  expect(withdraws).toBe(false);
});
