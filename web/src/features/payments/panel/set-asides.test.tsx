import { within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs } from "../../../testing/app";
import { dialog, part, taking } from "../../../testing/panel";
import { json, server, SETTINGS, told, url } from "../../../testing/server";

beforeEach(() => logInAs("admin"));

const at = "2026-08-20T09:00:00Z";
const CASE: Schemas["SetAsideItem"] = {
  _id: "p1",
  kind: "prompt",
  userId: "u7",
  username: "otieno",
  phone: "0712345678",
  amount: 500,
  entryAmount: 50,
  reportedAmount: 600,
  state: "SET_ASIDE",
  acts: ["credit", "dismiss"],
  reason: "M-Pesa reports another amount than was asked for.",
  mpesaIds: ["ws_CO_1"],
  story: [
    { kind: "intent", text: "KSh 500 by 0712345678", times: 1, firstAt: at, lastAt: at },
    { kind: "callback", text: "paid, KSh 600", times: 3, firstAt: at, lastAt: "2026-08-20T09:05:00Z" },
  ],
  createdAt: at,
};
const PAYOUT: Schemas["SetAsideItem"] = {
  ...CASE,
  _id: "w1",
  kind: "payout",
  amount: 450,
  entryAmount: null,
  reportedAmount: null,
  state: "pending",
  acts: ["paid", "return"],
  reason: "M-Pesa has not answered for a day.",
};
/** Credited on the callback alone. */
const CREDITED: Schemas["SetAsideItem"] = {
  ...CASE,
  state: "SUCCESS",
  acts: ["dismiss"],
  receipt: "NLJ7RT61SV",
  creditedBy: "deposit#p1",
  creditedTo: { userId: "u7", username: "otieno" },
};
const PATH = "/api/admin/set-asides";

async function open(...items: Schemas["SetAsideItem"][]) {
  let list = items;
  // The list is without the stories; a case by itself has its own.
  server.use(http.get(url(PATH), () => json(list.map(({ story, ...item }) => item))));
  server.use(http.get(url(`${PATH}/:id`), ({ params }) => json(items.find(({ _id }) => _id === params.id))));
  const section = await part("Set Aside");
  return { section, shows: (...later: Schemas["SetAsideItem"][]) => (list = later) };
}

describe("what is set aside", () => {
  test("each with its figures, why, and the whole timeline", async () => {
    const { section } = await open(CASE);
    expect(await section.findByText("KSh 500 asked for, an entry of KSh 50 · M-Pesa reports KSh 600")).toBeInTheDocument();
    expect(section.getByText("M-Pesa reports another amount than was asked for.")).toBeInTheDocument();
    await userEvent.click(section.getByText("The whole timeline"));
    expect(await section.findByText(/M-Pesa called 3 times, last Thu 20 Aug, 12:05/)).toBeInTheDocument();
    expect(section.getByText(/ws_CO_1/)).toBeInTheDocument();
    expect(section.getByRole("link", { name: "otieno" })).toHaveAttribute("href", "/panel/players/u7");
  });

  test("a timeline that cannot be read says so, and nothing else is lost", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { section } = await open(CASE);
    server.use(http.get(url(`${PATH}/:id`), () => told(404, "There is no such case.")));
    await userEvent.click(await section.findByText("The whole timeline"));
    expect(await section.findByText(/The timeline could not be read just now/)).toBeInTheDocument();
    expect(section.getByRole("button", { name: "Credit" })).toBeInTheDocument();
  });

  test("credit: an amount, a receipt and a reason; it says what was credited and leaves the list", async () => {
    const { section, shows } = await open(CASE);
    const sent = taking("post", `${PATH}/p1`, () => {
      shows();
      return json({ ...CASE, state: "SUCCESS", acts: [], creditedAmount: 600 });
    });
    await userEvent.click(await section.findByRole("button", { name: "Credit" }));
    const question = await dialog("Credit the payment");
    expect(question.getByLabelText("Amount (KSh)")).toHaveValue("600");
    await userEvent.click(question.getByRole("button", { name: "Credit" }));
    expect(question.getAllByRole("alert").map((alert) => alert.textContent)).toEqual([
      "Give the M-Pesa receipt of this payment.",
      "Give the reason: it is kept with the case.",
    ]);
    await userEvent.type(question.getByLabelText("M-Pesa receipt"), "nlj7rt61sv");
    await userEvent.type(question.getByLabelText("Reason"), "Seen in the portal.");
    await userEvent.click(question.getByRole("button", { name: "Credit" }));
    expect(await section.findByText("KSh 600 is credited to otieno.")).toBeInTheDocument();
    expect(await section.findByText("Everything adds up.")).toBeInTheDocument();
    expect(sent).toEqual([{ act: "credit", amount: 600, receipt: "NLJ7RT61SV", reason: "Seen in the portal." }]);
  });

  test("where there is excise it is said that it is taken, and what of it is credited", async () => {
    server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, excisePercent: 5 })));
    const { section } = await open({ ...CASE, receipt: "NLJ7RT61SV" });
    taking("post", `${PATH}/p1`, () => json({ ...CASE, state: "SUCCESS", acts: [], creditedAmount: 600 }));
    await userEvent.click(await section.findByRole("button", { name: "Credit" }));
    const question = await dialog("Credit the payment");
    expect(await question.findByText(/what M-Pesa received, less excise duty \(today 5 %\)\. No entry/)).toBeInTheDocument();
    await userEvent.type(question.getByLabelText("Reason"), "Seen in the portal.");
    await userEvent.click(question.getByRole("button", { name: "Credit" }));
    expect(await section.findByText("KSh 600 is credited to otieno, less the excise duty of its day.")).toBeInTheDocument();
  });

  test("a receipt that M-Pesa has named is not asked for", async () => {
    const { section } = await open({ ...CASE, receipt: "NLJ7RT61SV" });
    expect(await section.findByText("Receipt NLJ7RT61SV")).toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Credit" }));
    expect((await dialog("Credit the payment")).queryByLabelText("M-Pesa receipt")).not.toBeInTheDocument();
  });

  const reported = { reportedAmount: 600, receipt: null, reason: CASE.reason };
  const ended = { ...PAYOUT, state: "done", acts: ["dismiss"] } satisfies Schemas["SetAsideItem"];
  test.each([
    [CASE, "DISMISSED", "Dismiss", "Dismiss the case", "Dismissed: nothing was credited to otieno by this.", { act: "dismiss", seen: reported }],
    [CREDITED, "SUCCESS", "Dismiss", "Dismiss the case", "Seen: it has left the list.", { act: "dismiss", seen: { ...reported, receipt: "NLJ7RT61SV" } }],
    [ended, "done", "Dismiss", "Dismiss the case", "Seen: it has left the list.", { act: "dismiss", seen: { reportedAmount: null, receipt: null, reason: PAYOUT.reason } }],
    [PAYOUT, "done", "It was paid", "The payout was made", "The withdrawal of KSh 450 by otieno is done.", { act: "paid" }],
    [PAYOUT, "rejected", "Return the money", "The payout was not made", "KSh 450 has gone back to otieno; what they owe is paid of it first.", { act: "return" }],
  ])("closing a case asks for a reason and says what happened (%#)", async (item, state, name, title, said, decision) => {
    const { section } = await open(item);
    const sent = taking("post", `${PATH}/${item._id}`, () => json({ ...item, state }));
    await userEvent.click(await section.findByRole("button", { name }));
    const question = await dialog(title);
    await userEvent.type(question.getByLabelText("Reason"), "Seen in the portal.");
    await userEvent.click(question.getByRole("button", { name }));
    expect(await section.findByText(said)).toBeInTheDocument();
    expect(sent).toEqual([{ ...decision, reason: "Seen in the portal." }]);
  });

  test("a dismissal says what the dialog was opened on, also once the list shows more", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const silent = { ...CASE, reportedAmount: null, reason: "M-Pesa has said nothing for a day." };
    const { section, shows } = await open(silent);
    const sent = taking("post", `${PATH}/p1`, () => {
      shows({ ...CASE, receipt: "NLJ7RT61SV" });
      return told(409, "M-Pesa has reported something new meanwhile. Look at the case once more.");
    });
    await userEvent.click(await section.findByRole("button", { name: "Dismiss" }));
    const question = await dialog("Dismiss the case");
    await userEvent.type(question.getByLabelText("Reason"), "Nobody has paid.");
    await userEvent.click(question.getByRole("button", { name: "Dismiss" }));
    expect(await question.findByRole("alert")).toHaveTextContent("Look at the case once more.");
    expect(await section.findByText("Receipt NLJ7RT61SV")).toBeInTheDocument();
    await userEvent.click(question.getByRole("button", { name: "Dismiss" }));
    const seen = { reportedAmount: null, receipt: null, reason: silent.reason };
    const decision = { act: "dismiss", reason: "Nobody has paid.", seen };
    await vi.waitFor(() => expect(sent).toEqual([decision, decision]));
  });

  test("by what else a receipt was credited, and to whom, is said, and not that it was by the case's own posting", async () => {
    const { section } = await open(CREDITED, { ...CREDITED, _id: "p2", userId: "u9", username: "achieng" });
    expect(await section.findAllByText("Receipt NLJ7RT61SV")).toHaveLength(2);
    const said = section.getByText(/^This receipt was credited by/);
    expect(said).toHaveTextContent("This receipt was credited by a prompt, to otieno.");
    expect(within(said).getByRole("link")).toHaveAttribute("href", "/panel/players/u7");
    expect(within(said.closest("li")!).getByRole("link", { name: "achieng" })).toBeInTheDocument();
  });

  test("a payout is told with its id, by which M-Pesa's portal has it", async () => {
    const { section } = await open(CASE, PAYOUT);
    expect(await section.findByText("Id w1")).toBeInTheDocument();
    expect(section.queryByText("Id p1")).not.toBeInTheDocument();
  });

  test("a refusal is said in the server's words, and the form stays", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { section } = await open({ ...CASE, receipt: "NLJ7RT61SV" });
    taking("post", `${PATH}/p1`, () => told(409, "This M-Pesa code has already been credited."));
    await userEvent.click(await section.findByRole("button", { name: "Credit" }));
    const question = await dialog("Credit the payment");
    await userEvent.type(question.getByLabelText("Reason"), "Seen.");
    await userEvent.click(question.getByRole("button", { name: "Credit" }));
    expect(await question.findByRole("alert")).toHaveTextContent("This M-Pesa code has already been credited.");
    expect(question.getByLabelText("Reason")).toHaveValue("Seen.");
  });
});
