import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs } from "../../../testing/app";
import { part, taking } from "../../../testing/panel";
import { json, server, told, url } from "../../../testing/server";

beforeEach(() => logInAs("admin"));

describe("withdrawal requests (spec sections 2 and 4)", () => {
  const WITHDRAWAL: Schemas["WithdrawalItem"] = {
    _id: "w1",
    userId: "u1",
    username: "wanjiru",
    mpesaNumber: "0712345678",
    amount: 450,
    pays: 450,
    status: "pending",
    createdAt: "2026-08-23T09:00:00Z",
    flagged: false,
    flags: [],
  };

  async function open(...list: Schemas["WithdrawalItem"][]) {
    server.use(http.get(url("/api/withdraw"), () => json(list)));
    return part("Withdrawal Requests");
  }
  const confirm = async (name: string) =>
    userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));

  test("'Mark as Done' asks, and the done one leaves the list", async () => {
    let list = [WITHDRAWAL, { ...WITHDRAWAL, _id: "w2", userId: "u7", username: "otieno" }];
    server.use(http.get(url("/api/withdraw"), () => json(list)));
    const sent = taking("put", "/api/withdraw/w1", () => {
      list = list.slice(1);
      return json({ ...WITHDRAWAL, status: "done" });
    });
    const section = await part("Withdrawal Requests");
    const [first] = await section.findAllByRole("button", { name: "Mark as Done" });
    await userEvent.click(first!);
    expect(screen.getByText(/^KSh 450 to wanjiru at 0712345678: was it sent\?/)).toBeInTheDocument();
    await confirm("Yes, it was sent");
    expect(await section.findByText("The withdrawal of KSh 450 by wanjiru is done.")).toBeInTheDocument();
    await expect.poll(() => section.queryByText("wanjiru")).toBeNull();
    expect(section.getByRole("link", { name: "otieno" })).toHaveAttribute("href", "/panel/players/u7");
    expect(sent).toEqual([{ status: "done" }]);
  });

  test("only a pending one can be marked as done; another has left the list", async () => {
    const section = await open(WITHDRAWAL, { ...WITHDRAWAL, _id: "w2", username: "otieno", status: "done" });
    expect(await section.findAllByRole("button", { name: "Mark as Done" })).toHaveLength(1);
    expect(section.queryByText("otieno")).not.toBeInTheDocument();
  });

  test("a rejection needs a reason, and gives the money back", async () => {
    const sent = taking("put", "/api/withdraw/w1", () => json({ ...WITHDRAWAL, status: "rejected" }));
    const section = await open(WITHDRAWAL);
    await userEvent.click(await section.findByRole("button", { name: "Reject" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reject the withdrawal" }));
    const text = "KSh 450 goes back to wanjiru; what they owe is paid of it first. Nothing is sent to 0712345678.";
    expect(dialog.getByText(text)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("Give the reason: players read it.");
    await userEvent.type(dialog.getByLabelText("Reason"), "Not your number.");
    await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
    expect(await section.findByText("Rejected: KSh 450 has gone back to wanjiru; what they owe is paid of it first.")).toBeInTheDocument();
    expect(sent).toEqual([{ status: "rejected", reason: "Not your number." }]);
  });

  test("paying by M-Pesa asks, and what M-Pesa has in hand cannot be decided", async () => {
    let list = [WITHDRAWAL];
    server.use(http.get(url("/api/withdraw"), () => json(list)));
    const sent = taking("post", "/api/withdraw/w1/pay", () => {
      list = [{ ...WITHDRAWAL, payout: "sent" }];
      return json(list[0]);
    });
    const section = await part("Withdrawal Requests");
    await userEvent.click(await section.findByRole("button", { name: "Pay by M-Pesa" }));
    expect(screen.getByText(/^KSh 450 to wanjiru at 0712345678 is sent now\./)).toBeInTheDocument();
    await confirm("Send the money");
    expect(await section.findByText(/^M-Pesa was asked to pay KSh 450 to wanjiru\./)).toBeInTheDocument();
    expect(await section.findByText(/M-Pesa is paying it/)).toBeInTheDocument();
    expect(section.queryByRole("button", { name: "Mark as Done" })).not.toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });

  test("what M-Pesa has in hand is asked about every few seconds, until it is decided", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
    let asked = 0;
    server.use(
      http.get(url("/api/withdraw"), () => {
        asked += 1;
        return json(asked < 3 ? [{ ...WITHDRAWAL, payout: "sent" }] : []);
      }),
    );
    const section = await part("Withdrawal Requests");
    expect(await section.findByText(/M-Pesa is paying it/)).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => asked).toBe(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await section.findByText("No withdrawal requests.")).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked).toBe(3);
    vi.useRealTimers();
  });

  test.each([
    [403, "M-Pesa did not accept it. Nothing was sent."],
    // A gateway's own failure says nothing of the money.
    [504, "No answer came. Refresh, and see whether it was done."],
  ])("a failure is logged, and says what happened to the money (spec section 8)", async (status, said) => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", "/api/withdraw/w1/pay", () => json({}, { status }));
    const section = await open(WITHDRAWAL);
    await userEvent.click(await section.findByRole("button", { name: "Pay by M-Pesa" }));
    await confirm("Send the money");
    expect(await section.findByRole("alert")).toHaveTextContent(said);
    expect(logged).toHaveBeenCalled();
  });

  test.each([
    ["Pay by M-Pesa", "Send the money"],
    ["Mark as Done", "Yes, it was sent"],
  ])("%s: a refusal stands where it was pressed, until it is read", async (name, action) => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", "/api/withdraw/w1/pay", () => told(409, "Payouts are paused."));
    taking("put", "/api/withdraw/w1", () => told(409, "Payouts are paused."));
    const section = await open(WITHDRAWAL);
    await userEvent.click(await section.findByRole("button", { name }));
    await confirm(action);
    const dialog = within(screen.getByRole("dialog"));
    expect(await dialog.findByRole("alert")).toHaveTextContent("Payouts are paused.");
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test.each([
    ["neither", {}, ["Pay by M-Pesa", "Mark as Done", "Reject"]],
    ["its time to come", { waitsUntil: "2026-08-21T09:00:00Z" }, ["Reject"]],
    ["its time over", { waitsUntil: "2026-08-19T09:00:00Z" }, ["Pay by M-Pesa", "Mark as Done", "Reject"]],
    ["another admin's word to come", { saidSentUntil: "2026-08-23T09:00:00Z" }, ["Mark as Done"]],
    ["another admin's word over", { saidSentUntil: "2026-08-19T09:00:00Z" }, ["Pay by M-Pesa", "Mark as Done", "Reject"]],
    ["both to come", { waitsUntil: "2026-08-21T09:00:00Z", saidSentUntil: "2026-08-23T09:00:00Z" }, []],
  ])("only what the server would take is offered: %s", async (_, times, offered) => {
    const section = await open({ ...WITHDRAWAL, ...times });
    // Its name for M-Pesa's portal.
    const row = within((await section.findByText("Id w1")).closest("li")!);
    await waitFor(() => expect(row.queryAllByRole("button").map((button) => button.textContent)).toEqual(offered));
    expect(row.queryByText(/^Not to be paid before /) !== null).toBe("waitsUntil" in times && times.waitsUntil > "2026-08-20");
  });

  test("while the product's time cannot be read everything is offered without a date: the server refuses what is too early", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => told(404, "Not now.")));
    const section = await open({ ...WITHDRAWAL, waitsUntil: "2026-08-19T09:00:00Z", saidSentUntil: "2026-08-19T09:00:00Z" });
    const row = within((await section.findByText("Id w1")).closest("li")!);
    expect(row.getAllByRole("button").map((button) => button.textContent)).toEqual(["Pay by M-Pesa", "Mark as Done", "Reject"]);
    expect(row.queryByText(/^Not to be paid before /)).not.toBeInTheDocument();
    expect(row.getByText("An admin said that it was sent by hand. Look into M-Pesa's portal first.")).toBeInTheDocument();
  });

  test("one to look at twice says why, and whose number it is", async () => {
    const section = await open({ ...WITHDRAWAL, flagged: true, flags: ["new-number", "frozen"], waitsUntil: "2026-08-21T09:00:00Z", saidSentUntil: "2026-08-23T09:00:00Z", recipientName: "WANJIKU MWANGI", trouble: "Paid twice?" });
    expect(await section.findByText("To a number that is not the player's own.")).toBeInTheDocument();
    expect(section.getByText(/^The account is frozen/)).toBeInTheDocument();
    expect(section.getByText(/^Not to be paid before /)).toBeInTheDocument();
    expect(section.getByText(/^An admin says that it was sent by hand\. Until Sun 23 Aug, 12:00 another admin/)).toBeInTheDocument();
    expect(section.getByText(/WANJIKU MWANGI/)).toBeInTheDocument();
    expect(section.getByText("Paid twice?")).toBeInTheDocument();
  });

  test("of one that was said to be sent, and not approved in time, that is still told", async () => {
    const section = await open({ ...WITHDRAWAL, saidSentUntil: "2026-08-19T09:00:00Z" });
    expect(await section.findByText(/^An admin said that it was sent by hand, and until Wed 19 Aug, 12:00 nobody approved that\./)).toBeInTheDocument();
  });
});
