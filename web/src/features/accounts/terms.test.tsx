import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import * as page from "../../lib/page";
import { fillRegistration, openFromProfile } from "../../testing/account";
import { logInAs, openAt } from "../../testing/app";
import { json, server, SETTINGS, told, url, USER } from "../../testing/server";

const CURRENT = USER.terms.current;
const AGREED = USER.terms.agreed;

/** The page of a player who has agreed to `agreed`. Answers what was sent. */
function open(agreed: readonly object[], required = false, address = "/payment", role: "player" | "admin" = "player") {
  const sent: unknown[] = [];
  server.use(
    http.get(url("/api/user"), () => json({ ...USER, role, terms: { agreed, current: CURRENT, required } })),
    http.post(url("/api/me/terms"), async ({ request }) => {
      sent.push(await request.json());
      return json({ agreed: AGREED, current: CURRENT, required: false });
    }),
  );
  logInAs(role);
  openAt(address);
  return sent;
}
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

describe("the terms are asked for", () => {
  test("who has agreed to none agrees, and is not asked again", async () => {
    const sent = open([]);
    const asked = await dialog("Our terms");
    expect(asked.getByRole("link", { name: "terms" })).toHaveAttribute("href", `/terms/${CURRENT}`);
    await userEvent.click(asked.getByRole("button", { name: "I agree" }));
    await vi.waitFor(() => expect(screen.queryByRole("dialog", { name: "Our terms" })).not.toBeInTheDocument());
    expect(sent).toEqual([{ version: CURRENT }]);
  });

  test("who has agreed to earlier ones is told that they have changed, and can wait", async () => {
    const sent = open([{ version: "2026-01-01", at: "2026-01-02T09:00:00Z" }]);
    await userEvent.click((await dialog("Our terms have changed")).getByRole("button", { name: "Not now" }));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  test("what stands in the way is said", async () => {
    open([]);
    const why = "These terms are not the ones in force.";
    server.use(http.post(url("/api/me/terms"), () => told(400, why)));
    const asked = await dialog("Our terms");
    await userEvent.click(asked.getByRole("button", { name: "I agree" }));
    expect(await asked.findByText(why)).toBeInTheDocument();
  });

  test("where it is required nothing is entered before, and it is said why", async () => {
    open([], true);
    await userEvent.click((await dialog("Our terms")).getByRole("button", { name: "Not now" }));
    expect((await screen.findAllByText(/^Please agree to our terms first\./)).length).toBeGreaterThan(0);
  });

  test("where it is required, who has put it off finds the way back to it", async () => {
    const sent = open([], true);
    await userEvent.click((await dialog("Our terms")).getByRole("button", { name: "Not now" }));
    await userEvent.click(await screen.findByRole("button", { name: "Our terms" }));
    await userEvent.click((await dialog("Our terms")).getByRole("button", { name: "I agree" }));
    await vi.waitFor(() => expect(sent).toEqual([{ version: CURRENT }]));
    await vi.waitFor(() => expect(screen.queryByText(/^Please agree to our terms first\./)).not.toBeInTheDocument());
    expect(screen.queryByRole("button", { name: "Our terms" })).not.toBeInTheDocument();
  });

  test("the leagues do not ask, and lead to them where a deposit from there wants them", async () => {
    const sent = open([], true, "/leagues");
    await userEvent.click(await screen.findByRole("button", { name: "Our terms" }));
    await userEvent.click((await dialog("Our terms")).getByRole("button", { name: "I agree" }));
    await vi.waitFor(() => expect(sent).toEqual([{ version: CURRENT }]));
    await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Our terms" })).not.toBeInTheDocument());
  });

  test("a deposit that wants them leads to them, on a page without them too, and goes on once they are agreed to", async () => {
    const sent = open([], true, "/transactions");
    await openFromProfile("Top Up Wallet");
    const deposit = () => dialog("Deposit to Wallet");
    expect((await deposit()).getByRole("button", { name: "Deposit" })).toBeDisabled();
    await userEvent.click((await deposit()).getByRole("button", { name: "Our terms" }));
    await userEvent.click((await dialog("Our terms")).getByRole("button", { name: "Not now" }));
    await userEvent.click((await deposit()).getByRole("button", { name: "Our terms" }));
    await userEvent.click((await dialog("Our terms")).getByRole("button", { name: "I agree" }));
    await vi.waitFor(() => expect(sent).toEqual([{ version: CURRENT }]));
    expect((await deposit()).getByRole("button", { name: "Deposit" })).toBeEnabled();
    expect(screen.queryByRole("button", { name: "Our terms" })).not.toBeInTheDocument();
  });

  test("an admin who plays is asked where nothing is entered before, and only there", async () => {
    const sent = open([], true, "/payment", "admin");
    await userEvent.click((await dialog("Our terms")).getByRole("button", { name: "I agree" }));
    await vi.waitFor(() => expect(sent).toEqual([{ version: CURRENT }]));
  });

  test("an admin is not asked where nobody has to agree", async () => {
    open([], false, "/payment", "admin");
    expect(await screen.findByRole("button", { name: "View Leagues" })).toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test("who has agreed to them is asked nothing", async () => {
    open(AGREED);
    expect(await screen.findByRole("button", { name: "View Leagues" })).toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});

test("the account shows which terms were agreed to, and when", async () => {
  server.use(http.get(url("/api/me/sessions"), () => json([])));
  open(AGREED, false, "/account");
  const card = within(await screen.findByRole("region", { name: "Terms that you agreed to" }));
  const link = card.getByRole("link", { name: "Terms of 1 Aug 2026" });
  expect(link.closest("li")).toHaveTextContent("agreed to on 20 Aug 2026");
  await userEvent.click(link);
  expect(await screen.findByText("In force from 1 Aug 2026.")).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Who may play" })).toBeInTheDocument();
});

test("a version that there is not is no page", async () => {
  openAt("/terms/2020-01-01");
  expect(await screen.findByRole("heading", { name: "There is no such page" })).toBeInTheDocument();
});

describe("terms that came after this build", () => {
  const NEWER = "2027-08-01";
  const notice = "Our terms are newer than this page. Load it again to read them.";

  test.each(["/terms", `/terms/${NEWER}`])("at %s the page is loaded again to be read", async (address) => {
    const reload = vi.spyOn(page, "reloadPage").mockReturnValue(undefined);
    server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, terms: NEWER })));
    openAt(address);
    expect(await screen.findByText(notice)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Load again" }));
    expect(reload).toHaveBeenCalledOnce();
    expect(screen.queryByText(/^In force from/)).not.toBeInTheDocument();
  });

  test("nobody is asked to agree to them before", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, terms: { agreed: AGREED, current: NEWER, required: true } })));
    logInAs("player");
    openAt("/payment");
    const asked = await dialog("Our terms have changed");
    expect(asked.getByText(notice)).toBeInTheDocument();
    expect(asked.getByRole("button", { name: "Load again" })).toBeInTheDocument();
    expect(asked.queryByRole("button", { name: "I agree" })).not.toBeInTheDocument();
  });

  test("nobody registers by them", async () => {
    server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, terms: NEWER })));
    openAt("/register");
    await fillRegistration();
    await userEvent.click(screen.getByRole("button", { name: "Register" }));
    expect(await screen.findByText(notice)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Load again" })).toBeInTheDocument();
  });
});
