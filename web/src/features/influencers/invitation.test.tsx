import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { json, server, SETTINGS, told, url, USER } from "../../testing/server";

const LINK = "https://play.example/ref/7kq2m9x4ab";
const hasInvitation = (signUps = 10) =>
  server.use(http.get(url("/api/me/invitation"), () => json({ link: LINK, visits: 15, signUps, payingPlayers: 0 })));
const off = () => server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, promotions: false })));

beforeEach(() => logInAs("player"));

test("a player's own link, with what came of it in fives, and ways to send it on", async () => {
  hasInvitation();
  openAt("/invite");
  expect(await screen.findByText(LINK)).toBeInTheDocument();
  const came = within(screen.getByRole("region", { name: "What came of it" }));
  expect(came.getByText("Visits").nextSibling).toHaveTextContent("15 or more");
  expect(came.getByText("New accounts").nextSibling).toHaveTextContent("10 or more");
  expect(came.getByText("Of these have joined a league").nextSibling).toHaveTextContent("fewer than 5");
  const words = new URL(screen.getByRole("link", { name: "Send it by WhatsApp" }).getAttribute("href") ?? "");
  expect(words.origin + words.pathname).toBe("https://wa.me/");
  expect(words.searchParams.get("text")).toMatch(new RegExp(`^Play .* 18 or older\\. ${LINK}$`));
  expect(screen.queryByRole("button", { name: "Share" })).not.toBeInTheDocument();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Copy your link" }));
  expect(await navigator.clipboard.readText()).toBe(LINK);
});

test("a link that the browser does not copy is not said to be copied", async () => {
  hasInvitation();
  openAt("/invite");
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no", "NotAllowedError"));
  await user.click(await screen.findByRole("button", { name: "Copy your link" }));
  expect(await screen.findByRole("button", { name: /^Not copied: / })).toHaveFocus();
  expect(screen.getByText("Not copied", { selector: "[role=status]" })).toBeInTheDocument();
});

const notShared = "This phone did not share the link. Copy it, and send it yourself.";

test("a phone that has a sheet of its own shares by it; who closes that is told nothing", async () => {
  const failed = vi.spyOn(console, "error");
  const share = vi.fn().mockRejectedValue(new DOMException("closed", "AbortError"));
  Object.assign(navigator, { share });
  hasInvitation();
  openAt("/invite");
  await userEvent.click(await screen.findByRole("button", { name: "Share" }));
  await waitFor(() => expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: LINK })));
  expect(failed).not.toHaveBeenCalled();
  expect(screen.queryByText(notShared)).not.toBeInTheDocument();
});

test("a sheet that does not open says so, until it does", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const share = vi.fn().mockRejectedValueOnce(new DOMException("no", "NotAllowedError"));
  Object.assign(navigator, { share });
  hasInvitation();
  openAt("/invite");
  await userEvent.click(await screen.findByRole("button", { name: "Share" }));
  expect(await screen.findByText(notShared)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Share" }));
  await waitFor(() => expect(screen.queryByText(notShared)).not.toBeInTheDocument());
});

test("the profile and the entries lead to it", async () => {
  server.use(http.get(url("/api/me/entries"), () => json({ entries: [], profitAndLoss: 0 })));
  hasInvitation();
  const { unmount } = openAt("/payment");
  await userEvent.click(await screen.findByRole("button", { name: "Profile" }));
  const profile = within(await screen.findByRole("dialog", { name: "Profile" }));
  await userEvent.click(await profile.findByRole("link", { name: "Invite friends" }));
  expect(await screen.findByText(LINK)).toBeInTheDocument();
  unmount();
  openAt("/entries");
  expect(await screen.findByRole("link", { name: "Invite friends" })).toHaveAttribute("href", "/invite");
});

test("where nobody may invite nothing leads to it, and its page asks for no link", async () => {
  off();
  const asked = vi.fn(() => told(404, "There are no invitations here."));
  server.use(http.get(url("/api/me/invitation"), asked));
  server.use(http.get(url("/api/me/entries"), () => json({ entries: [], profitAndLoss: 0 })));
  const { unmount } = openAt("/entries");
  expect(await screen.findByText("You have not joined a league yet.")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Invite friends" })).not.toBeInTheDocument();
  unmount();
  openAt("/invite");
  expect(await screen.findByText("There are no invitations at present.")).toBeInTheDocument();
  expect(asked).not.toHaveBeenCalled();
});

test.each([
  ["who has stopped playing", { stopped: { kind: "break", until: "2027-01-01T00:00:00Z" } }],
  ["who is asked for a proof of age", { ageProofWanted: true }],
])("%s invites nobody", async (_who, change) => {
  server.use(http.get(url("/api/user"), () => json({ ...USER, ...change })));
  openAt("/invite");
  expect(await screen.findByText("There are no invitations at present.")).toBeInTheDocument();
});

test("where it cannot be read whether there are invitations, that is said", async () => {
  server.use(http.get(url("/api/settings"), () => told(503, "busy")));
  openAt("/invite");
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(http.get(url("/api/settings"), () => json(SETTINGS)));
  hasInvitation();
  await userEvent.click(again);
  expect(await screen.findByText(LINK)).toBeInTheDocument();
});

test("a link that cannot be read is asked for again", async () => {
  server.use(http.get(url("/api/me/invitation"), () => told(503, "busy")));
  openAt("/invite");
  const again = await screen.findByRole("button", { name: "Try again" });
  hasInvitation();
  await userEvent.click(again);
  expect(await screen.findByText(LINK)).toBeInTheDocument();
});
