import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { startSession } from "../../lib/session";
import { logInAs, openAt } from "../../testing/app";
import { json, server, SETTINGS, told, url } from "../../testing/server";

const CASE = {
  _id: "c1",
  userId: "u1",
  username: "wanjiru",
  about: { kind: "withdrawal", id: "w1" },
  known: { state: "pending", amount: 450, receipt: null, at: null, league: null, settledAt: null },
  state: "open",
  openedAt: "2026-08-20T06:00:00Z",
  since: "2026-08-20T06:00:00Z",
  ageHours: 3,
  reason: null,
};
const message = (by: string, text: string) => ({ by, text, at: "2026-08-20T06:00:00Z", closes: null });
const thread = (change: object, ...messages: object[]) => ({ ...CASE, ...change, thread: messages });

describe("something is wrong", () => {
  test("beside a withdrawal it is told, and shown as it was written", async () => {
    const sent = vi.fn();
    const markup = "<b>Where</b> is it? https://example.co.ke";
    server.use(
      http.get(url("/api/withdraw"), () =>
        json([{ _id: "w1", userId: "u1", username: "wanjiru", amount: 450, mpesaNumber: "0712345678", status: "pending", createdAt: CASE.since, flags: [] }]),
      ),
      http.post(url("/api/cases"), async ({ request }) => {
        sent(await request.json(), request.headers.get("idempotency-key") !== null);
        return json(thread({}, message("player", markup)), { status: 201 });
      }),
      http.get(url("/api/cases/c1"), () => json(thread({}, message("player", markup)))),
    );
    logInAs("player");
    openAt("/withdrawals");
    await userEvent.click(await screen.findByRole("link", { name: "Something is wrong?" }));
    const form = within(await screen.findByRole("form", { name: "What is wrong?" }));
    await userEvent.click(form.getByRole("button", { name: "Send" }));
    expect(form.getByText("Write what is wrong.")).toBeInTheDocument();
    await userEvent.type(form.getByLabelText("What is wrong?"), markup);
    await userEvent.click(form.getByRole("button", { name: "Send" }));
    expect(await screen.findByText(markup)).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: /example/ })).not.toBeInTheDocument();
    expect(sent).toHaveBeenCalledWith({ about: { kind: "withdrawal", id: "w1" }, text: markup }, true);
  });

  test("what is refused is said, and what was written stays", async () => {
    const why = "You have an open case about this already.";
    server.use(http.post(url("/api/cases"), () => told(409, why)));
    logInAs("player");
    openAt("/cases?kind=entry&id=2026-03");
    expect(await screen.findByRole("region", { name: "My entry of gameweek 3" })).toBeInTheDocument();
    await userEvent.type(screen.getByRole("textbox", { name: "What is wrong?" }), "I was not in.");
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    expect(await screen.findByText(why)).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "What is wrong?" })).toHaveValue("I was not in.");
  });

  test("an admin answers and closes with a reason", async () => {
    const sent = vi.fn();
    server.use(
      http.get(url("/api/admin/cases"), () => json([CASE])),
      http.get(url("/api/cases/c1"), () => json(thread({}, message("player", "Where is it?")))),
      http.post(url("/api/cases/c1/messages"), async ({ request }) => {
        const body = (await request.json()) as { close?: string };
        sent(body);
        return json(thread({ state: body.close ? "closed" : "answered", reason: body.close ?? null }, message("player", "Where is it?")));
      }),
    );
    logInAs("admin");
    openAt("/panel/cases");
    expect(await screen.findByText("has waited 3 h for an answer")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Withdrawal of KSh 450" }));
    expect(await screen.findByText(/, id w1$/)).toBeInTheDocument();
    await userEvent.type(await screen.findByLabelText("Answer: the player reads it"), "It is sent today.");
    await userEvent.click(screen.getByRole("button", { name: "Answer" }));
    const answered = await screen.findByText("Answered: wanjiru is told by mail.");
    await waitFor(() => expect(answered.closest("[tabindex='-1']")).toHaveFocus());
    await userEvent.click(screen.getByRole("button", { name: "Close it" }));
    expect(screen.getByText("Give the reason.")).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("Reason for closing it: the player reads it"), "It was paid.");
    await userEvent.click(screen.getByRole("button", { name: "Close it" }));
    await vi.waitFor(() => expect(screen.queryByRole("form", { name: "Answer" })).not.toBeInTheDocument());
    expect(await screen.findByText("Closed: wanjiru is told by mail.")).toBeInTheDocument();
    expect(sent.mock.calls).toEqual([[{ text: "It is sent today." }], [{ text: "", close: "It was paid." }]]);
  });
});

test("an answer that is half written is there again, and gone once it is sent", async () => {
  server.use(
    http.get(url("/api/cases/c1"), () => json(thread({}, message("player", "Where is it?")))),
    http.post(url("/api/cases/c1/messages"), () => json(thread({ state: "answered" }))),
  );
  logInAs("admin");
  const { unmount } = openAt("/panel/cases/c1");
  await userEvent.type(await screen.findByLabelText("Answer: the player reads it"), "It is sent today.");
  await userEvent.type(screen.getByLabelText("Reason for closing it: the player reads it"), "It was");
  unmount();
  const again = openAt("/panel/cases/c1");
  expect(await screen.findByLabelText("Answer: the player reads it")).toHaveValue("It is sent today.");
  expect(screen.getByLabelText("Reason for closing it: the player reads it")).toHaveValue("It was");
  await userEvent.click(screen.getByRole("button", { name: "Answer" }));
  await screen.findByText("Answered: wanjiru is told by mail.");
  again.unmount();
  openAt("/panel/cases/c1");
  expect(await screen.findByLabelText("Answer: the player reads it")).toHaveValue("");
});

test("an answer that is half written is not another admin's, who has logged in by another tab", async () => {
  server.use(http.get(url("/api/cases/c1"), () => json(thread({}, message("player", "Where is it?")))));
  logInAs("admin");
  const { unmount } = openAt("/panel/cases/c1");
  await userEvent.type(await screen.findByLabelText("Answer: the player reads it"), "It is sent");
  unmount();
  localStorage.setItem("lastPlayer", "u9");
  startSession({ token: "t", userId: "u9", username: "otieno", fplId: "", email: "o@example.com", role: "admin" });
  expect(sessionStorage).not.toHaveLength(0);
  openAt("/panel/cases/c1");
  expect(await screen.findByLabelText("Answer: the player reads it")).toHaveValue("");
});

test("the helpline is on the page about responsible play and on the contact page", async () => {
  openAt("/responsible-play");
  expect(await screen.findByText("Made-up helpline, 0800 000 000")).toBeInTheDocument();
});

test("a helpline that could not be read is not simply left out", async () => {
  server.use(http.get(url("/api/settings"), () => json({}, { status: 400 })));
  openAt("/responsible-play");
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.getByText("The helpline could not be read just now.")).toBeInTheDocument();
  server.use(http.get(url("/api/settings"), () => json(SETTINGS)));
  await userEvent.click(again);
  expect(await screen.findByText("Made-up helpline, 0800 000 000")).toBeInTheDocument();
});

test("the contact page tells the helpline too", async () => {
  openAt("/contact");
  expect(await screen.findByText("Made-up helpline, 0800 000 000")).toBeInTheDocument();
});
