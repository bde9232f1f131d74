import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import { openAt } from "../../testing/app";
import { json, noAnswer, server, told, url } from "../../testing/server";

const LINK = "/api/cancel-withdrawal/abc123";
const ASKED = {
  amount: 450,
  mpesaNumber: "07******56",
  status: "pending",
  payout: null,
  createdAt: "2026-08-20T09:00:00Z",
  waitsUntil: "2026-08-21T09:00:00Z",
  cancellable: true,
};

const open = (found: object) => {
  server.use(http.get(url(LINK), () => json(found)));
  openAt("/cancel-withdrawal/abc123");
};
const button = () => screen.findByRole("button", { name: "Cancel this withdrawal" });

describe("the link in the mail about a withdrawal to a new number", () => {
  test("shows what it is about; only the button cancels, and then leads to a new password", async () => {
    let cancelled = 0;
    server.use(
      http.post(url(LINK), () => {
        cancelled += 1;
        return json({ ...ASKED, status: "rejected", cancellable: false });
      }),
    );
    open(ASKED);
    expect(await screen.findByText("KSh 450")).toBeInTheDocument();
    expect(screen.getByText(/^It is not paid before .+ If it was you, leave it as it is\.$/)).toBeInTheDocument();
    expect(cancelled).toBe(0);
    await userEvent.click(await button());
    expect(await screen.findByText("It is not paid: the money has come back.")).toBeInTheDocument();
    expect(cancelled).toBe(1);
    expect(screen.queryByRole("button", { name: "Cancel this withdrawal" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Choose a new password" }));
    expect(await screen.findByTestId("/forgot-password")).toBeInTheDocument();
  });

  test("one that M-Pesa is paying, or has paid, says so", async () => {
    open({ ...ASKED, payout: "sent", cancellable: false });
    expect(await screen.findByText(/^M-Pesa is paying it/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Cancel this withdrawal" })).not.toBeInTheDocument();
  });

  test("one whose day is over says so, and what to do", async () => {
    open({ ...ASKED, cancellable: false });
    expect(await screen.findByText(/^This link does not cancel it any more: .+ write to us at once\.$/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Cancel this withdrawal" })).not.toBeInTheDocument();
  });

  test("a refusal in the server's words keeps the button", async () => {
    server.use(http.post(url(LINK), () => told(409, "This withdrawal is done already.")));
    open({ ...ASKED, waitsUntil: null });
    await userEvent.click(await button());
    expect(await screen.findByRole("alert")).toHaveTextContent("This withdrawal is done already.");
    expect(await button()).toBeEnabled();
  });

  test("where the answer was lost it may be cancelled, and pressed again it says what it is", async () => {
    open(ASKED);
    const cancel = await button();
    server.use(http.post(url(LINK), noAnswer));
    await userEvent.click(cancel);
    expect(await screen.findByRole("alert")).toHaveTextContent("No clear answer came. It may be cancelled already: please try again, and see.");
    server.use(http.post(url(LINK), () => json({ ...ASKED, status: "rejected", cancellable: false })));
    await userEvent.click(await button());
    expect(await screen.findByText("It is not paid: the money has come back.")).toBeInTheDocument();
  });

  test("one that could not be read just now can be asked for again", async () => {
    server.use(http.get(url(LINK), noAnswer));
    openAt("/cancel-withdrawal/abc123");
    const again = await screen.findByRole("button", { name: "Try again" });
    server.use(http.get(url(LINK), () => json(ASKED)));
    await userEvent.click(again);
    expect(await button()).toBeInTheDocument();
  });

  test("a link that is none", async () => {
    server.use(http.get(url(LINK), () => told(400, "Invalid or expired link.")));
    openAt("/cancel-withdrawal/abc123");
    expect(await screen.findByRole("alert")).toHaveTextContent("Invalid or expired link.");
  });
});
