import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs } from "../../testing/app";
import { dialog, part, taking } from "../../testing/panel";
import { json, server, SETTINGS, url } from "../../testing/server";

const PROPOSAL: Schemas["ProposalItem"] = {
  _id: "a1",
  state: "waiting",
  message: "Another admin has to approve this.",
  inWords: "Pay the withdrawal of KSh 15,000 by M-Pesa",
  number: "0712345678",
  what: "pay-withdrawal",
  on: "withdrawal w1",
  userId: "u7",
  username: "otieno",
  amount: 15_000,
  sentByHand: false,
  why: "It is above the amount that one admin may move alone.",
  proposedBy: "u9",
  proposedByName: "wanjiku",
  proposedAt: "2026-08-20T09:00:00Z",
  expiresAt: "2026-08-23T09:00:00Z",
};
const PATH = "/api/admin/approvals/a1";
const asked = () => Response.json({ message: "Enter the code from your authenticator app.", stepUp: true }, { status: 403 });

let list: Schemas["ProposalItem"][];
beforeEach(() => {
  logInAs("admin");
  list = [PROPOSAL];
  server.use(http.get(url("/api/admin/approvals"), () => json(list)));
});
const open = () => part("Approvals", "/panel/approvals");

describe("what waits for a second admin", () => {
  test("is told with who wants it and why, and approved with a reason", async () => {
    const sent = taking("post", PATH, () => {
      list = [{ ...PROPOSAL, state: "approved", decidedByName: "second" }];
      return json(list[0]);
    });
    const section = await open();
    expect(await section.findByText("Pay the withdrawal of KSh 15,000 by M-Pesa")).toBeInTheDocument();
    expect(section.getByText(/^Proposed by wanjiku, /)).toBeInTheDocument();
    expect(section.getByText(PROPOSAL.why)).toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Approve" }));
    const question = await dialog("Approve the act");
    expect(question.getByText(/^Pay the withdrawal of KSh 15,000 by M-Pesa, otieno, 0712345678\. /)).toBeInTheDocument();
    await userEvent.type(question.getByLabelText("Reason (optional)"), "Compared with the portal.");
    await userEvent.click(question.getByRole("button", { name: "Approve" }));
    expect(await section.findByText("Approved: M-Pesa was asked to pay it.")).toBeInTheDocument();
    expect(await section.findByText("Approved by second")).toBeInTheDocument();
    expect(section.queryByRole("button", { name: "Approve" })).not.toBeInTheDocument();
    expect(sent).toEqual([{ decision: "approve", reason: "Compared with the portal." }]);
  });

  test("of another act than a payout it is said that it is done", async () => {
    list = [{ ...PROPOSAL, what: "confirm-manual-payment", inWords: "Credit KSh 15,000 for a typed code: NLJ7RT61SV" }];
    taking("post", PATH, () => json({ ...list[0], state: "approved" }));
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "Approve" }));
    await userEvent.click((await dialog("Approve the act")).getByRole("button", { name: "Approve" }));
    expect(await section.findByText("Approved, and done: Credit KSh 15,000 for a typed code: NLJ7RT61SV.")).toBeInTheDocument();
  });

  test("what an approval has done is read anew where it is shown", async () => {
    let read = 0;
    server.use(
      http.get(url("/api/withdraw"), () => {
        read += 1;
        return json([]);
      }),
    );
    taking("post", PATH, () => json({ ...PROPOSAL, state: "approved" }));
    const desk = await part("Withdrawal Requests");
    await desk.findByText("No withdrawal requests.");
    await userEvent.click(screen.getByRole("link", { name: "Approvals" }));
    await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
    await userEvent.click((await dialog("Approve the act")).getByRole("button", { name: "Approve" }));
    await screen.findByText("Approved: M-Pesa was asked to pay it.");
    const before = read;
    await userEvent.click(screen.getByRole("link", { name: "Desk" }));
    await screen.findByText("No withdrawal requests.");
    await expect.poll(() => read).toBeGreaterThan(before);
  });

  test("who refuses what was said to be sent by hand is told what follows", async () => {
    list = [{ ...PROPOSAL, sentByHand: true }];
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "Refuse" }));
    const question = await dialog("Refuse the act");
    expect(question.getByText("It was said to be sent by hand: refused, it can be paid again. Look into M-Pesa's portal first.")).toBeInTheDocument();
  });

  test("is refused with a reason; an expired one can only be cleared away", async () => {
    list = [{ ...PROPOSAL, state: "expired" }];
    const sent = taking("post", PATH, () => json({ ...PROPOSAL, state: "refused" }));
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "Refuse" }));
    expect(section.queryByRole("button", { name: "Approve" })).not.toBeInTheDocument();
    const question = await dialog("Refuse the act");
    await userEvent.click(question.getByRole("button", { name: "Refuse" }));
    expect(question.getByRole("alert")).toHaveTextContent("Give the reason");
    await userEvent.type(question.getByLabelText("Reason"), "Not that number.");
    await userEvent.click(question.getByRole("button", { name: "Refuse" }));
    expect(await section.findByText(/^Refused: .* Nothing was done\.$/)).toBeInTheDocument();
    expect(sent).toEqual([{ decision: "refuse", reason: "Not that number." }]);
  });

  test("an act that wants a fresh code asks for it, and goes on by itself", async () => {
    let stepped = false;
    const sent = taking("post", PATH, () => (stepped ? json({ ...PROPOSAL, state: "approved" }) : asked()));
    const codes = taking("post", "/api/admin/step-up", () => {
      stepped = true;
      return json({ goodForSeconds: 300 });
    });
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "Approve" }));
    await userEvent.click((await dialog("Approve the act")).getByRole("button", { name: "Approve" }));
    const question = await dialog("Enter a code");
    await userEvent.type(question.getByLabelText("Code"), "492039");
    await userEvent.click(question.getByRole("button", { name: "Go on" }));
    expect(await section.findByText("Approved: M-Pesa was asked to pay it.")).toBeInTheDocument();
    expect(codes).toEqual([{ code: "492039" }]);
    expect(sent).toHaveLength(2);
  });

  test("without a code nothing is done, and the server's words stand", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const sent = taking("post", PATH, asked);
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "Approve" }));
    await userEvent.click((await dialog("Approve the act")).getByRole("button", { name: "Approve" }));
    await userEvent.click((await dialog("Enter a code")).getByRole("button", { name: "Close" }));
    expect((await dialog("Approve the act")).getByText("Enter the code from your authenticator app.")).toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });
});

describe("the panel", () => {
  test.each([
    ["u1", "Another admin has to approve this. It waits under Approvals until Sun 23 Aug, 12:00."],
    ["u9", "wanjiku has proposed this already: approve it under Approvals until Sun 23 Aug, 12:00."],
  ])("says of an act that it waits for another admin, or for this one (proposed by %s)", async (proposedBy, said) => {
    server.use(http.get(url("/api/withdraw"), () => json([{ _id: "w1", userId: "u7", username: "otieno", mpesaNumber: "0712345678", amount: 15_000, status: "pending", createdAt: "2026-08-20T09:00:00Z", flagged: false }])));
    taking("post", "/api/withdraw/w1/pay", () => Response.json({ ...PROPOSAL, proposedBy }, { status: 202 }));
    const section = await part("Withdrawal Requests");
    await userEvent.click(await section.findByRole("button", { name: "Pay by M-Pesa" }));
    await userEvent.click((await dialog("Pay by M-Pesa")).getByRole("button", { name: "Send the money" }));
    expect(await section.findByText(said)).toBeInTheDocument();
  });

  test.each(["/panel", "/panel/approvals", "/panel/security"])("%s says where the safeguards are light", async (address) => {
    server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, safeguards: "light" })));
    server.use(http.get(url("/api/admin/totp"), () => json({ enrolled: false, recoveryCodesLeft: 0 })));
    await part(address === "/panel" ? "Switches" : address === "/panel/security" ? "Code at log-in" : "Approvals", address);
    expect(await screen.findByText(/^Safeguards are light/)).toBeInTheDocument();
  });
});
