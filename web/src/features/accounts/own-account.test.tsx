import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { json, noAnswer, server, told, url } from "../../testing/server";

const session = (id: string, current: boolean, system = "Android", browser = "Chrome") => ({
  _id: id,
  beganAt: "2026-08-20T09:00:00Z",
  lastUsedAt: "2026-08-22T06:00:00Z",
  system,
  browser,
  current,
});

/** The page over an account with these sessions. Answers which were ended. */
function open(sessions = [session("5e1", true), session("5e2", false, "", "")]) {
  const ended: string[] = [];
  let kept = sessions;
  server.use(
    http.get(url("/api/me/sessions"), () => json(kept)),
    http.delete(url("/api/me/sessions/:id"), ({ params }) => {
      ended.push(String(params.id));
      kept = kept.filter(({ _id, current }) => (params.id === "others" ? current : _id !== params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  logInAs("player");
  openAt("/account");
  return ended;
}
const part = async (name: string) => within(await screen.findByRole("region", { name }));

describe("where one is logged in", () => {
  test("another session is ended, this one has no button", async () => {
    const ended = open();
    const card = await part("Where you are logged in");
    expect(await card.findByText("Android · Chrome")).toBeInTheDocument();
    await userEvent.click(card.getByRole("button", { name: "End the session on A device that is not known" }));
    await vi.waitFor(() => expect(card.queryByText("A device that is not known")).not.toBeInTheDocument());
    expect(ended).toEqual(["5e2"]);
    expect(card.queryByRole("button")).not.toBeInTheDocument();
  });

  test("all others are ended at once", async () => {
    const ended = open([session("5e1", true), session("5e2", false), session("5e3", false)]);
    await userEvent.click(await (await part("Where you are logged in")).findByRole("button", { name: "End all others" }));
    await vi.waitFor(() => expect(ended).toEqual(["others"]));
  });
});

describe("my data", () => {
  test("every page is read, and shown by parts", async () => {
    open();
    server.use(
      http.get(url("/api/me/data"), ({ request }) =>
        new URL(request.url).searchParams.get("cursor") === "next"
          ? json({ asOf: "2026-08-22T06:00:00Z", items: [{ kind: "AUDIT#", key: "2", what: { reason: "Asked for." } }] })
          : HttpResponse.json(
              { asOf: "2026-08-22T06:00:00Z", items: [{ kind: "USER#/PROFILE", key: "PROFILE", what: { email: "w@example.co.ke", fplId: 5 } }] },
              { headers: { "x-next-cursor": "next" } },
            ),
      ),
    );
    const card = await part("My data");
    await userEvent.click(card.getByRole("button", { name: "Show my data" }));
    expect(await card.findByText("Your account (1)")).toBeInTheDocument();
    expect(card.getByText("What was done by hand (1)")).toBeInTheDocument();
    expect(card.getByText("w@example.co.ke")).toBeInTheDocument();
    expect(card.getByRole("button", { name: "Save as a file" })).toBeInTheDocument();
  });

  test("asked for too often it says when again", async () => {
    open();
    const why = "You have asked for your data too often today. Try again in 3 hours.";
    server.use(http.get(url("/api/me/data"), () => told(429, why)));
    const card = await part("My data");
    await userEvent.click(card.getByRole("button", { name: "Show my data" }));
    expect(await card.findByText(why)).toBeInTheDocument();
  });
});

describe("closing the account", () => {
  const close = async () => {
    await userEvent.click(await screen.findByRole("button", { name: "Close my account..." }));
    return within(await screen.findByRole("dialog", { name: "Close my account" }));
  };

  test("what stands in the way is said, and the account stays", async () => {
    open();
    const why = "There is KSh 100 in your wallet. Withdraw it first.";
    server.use(http.post(url("/api/me/closure"), () => told(409, why)));
    const dialog = await close();
    await userEvent.click(dialog.getByRole("button", { name: "Close it" }));
    expect(dialog.getByText("Enter your password.")).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText("Password"), "correct horse");
    await userEvent.click(dialog.getByRole("button", { name: "Close it" }));
    expect(await dialog.findByText(why)).toBeInTheDocument();
  });

  test("where the answer was lost it may be closed, and is not said to be open", async () => {
    open();
    server.use(http.post(url("/api/me/closure"), noAnswer));
    const dialog = await close();
    await userEvent.type(dialog.getByLabelText("Password"), "correct horse");
    await userEvent.click(dialog.getByRole("button", { name: "Close it" }));
    expect(await dialog.findByRole("alert")).toHaveTextContent(/^No clear answer came\. Your account may be closed already\./);
  });

  test("closed, it says when what is personal goes", async () => {
    open();
    const sent = vi.fn();
    server.use(
      http.post(url("/api/me/closure"), async ({ request }) => {
        sent(await request.json());
        return json({ erasedAt: "2026-08-29T06:00:00Z" });
      }),
    );
    const dialog = await close();
    await userEvent.type(dialog.getByLabelText("Password"), "correct horse");
    await userEvent.click(dialog.getByRole("button", { name: "Close it" }));
    expect(await dialog.findByText(/^Your account is closed\./)).toHaveTextContent("Sat 29 Aug, 09:00");
    expect(sent).toHaveBeenCalledWith({ password: "correct horse", code: null });
  });
});
