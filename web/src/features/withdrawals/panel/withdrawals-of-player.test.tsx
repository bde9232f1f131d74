import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import type { Schemas } from "../../../api/client";
import { newQueryClient } from "../../../app/Providers";
import { logInAs } from "../../../testing/app";
import { json, server, url } from "../../../testing/server";
import { WithdrawalsOfPlayer } from "./WithdrawalsOfPlayer";

test("a player's withdrawals, ended ones too, each with what came of it and its id", async () => {
  const withdrawal: Schemas["WithdrawalItem"] = {
    _id: "w1",
    userId: "u7",
    username: "otieno",
    mpesaNumber: "0712345678",
    amount: 450,
    pays: 450,
    status: "pending",
    createdAt: "2026-08-20T09:00:00Z",
    flagged: false,
    flags: [],
  };
  const asked: (string | null)[] = [];
  server.use(
    http.get(url("/api/withdraw"), ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("userId"));
      return json([
        { ...withdrawal, payout: "sent", trouble: "M-Pesa has not answered for a day." },
        { ...withdrawal, _id: "w2", amount: 60, status: "rejected", reason: "Not registered.", createdAt: "2025-12-20T09:00:00Z" },
        { ...withdrawal, _id: "w3", amount: 900, status: "done", corrected: "paid-twice", receipt: "NLJ7RT61SV" },
      ]);
    }),
  );
  logInAs("admin");
  render(
    <QueryClientProvider client={newQueryClient()}>
      <WithdrawalsOfPlayer id="u7" />
    </QueryClientProvider>,
  );
  await screen.findByText("Sat 20 Dec 2025, 12:00");
  expect(screen.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
    "KSh 450 · M-Pesa is sending it0712345678Thu 20 Aug, 12:00M-Pesa has not answered for a day.Id w1",
    "KSh 60 · Rejected: the money has come back0712345678Sat 20 Dec 2025, 12:00“Not registered.”Id w2",
    "KSh 900 · Paid twice0712345678Thu 20 Aug, 12:00Receipt NLJ7RT61SVId w3",
  ]);
  expect(asked).toEqual(["u7"]);
});
