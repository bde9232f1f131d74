import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { useState, type ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { newQueryClient } from "../../app/Providers";
import type { Schemas } from "../../api/client";
import { settingsQuery } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { clearEverything } from "../../lib/session";
import { logInAs, openAt } from "../../testing/app";
import { json, server, SETTINGS, url, USER } from "../../testing/server";
import { entriesQuery } from "./entries";
import { WinNews } from "./WinNews";
import { messageOf, pictureOf, untoldWins } from "./win";

type Entry = Schemas["EntryView"];

const entry = (number: number, change: Partial<Entry> = {}): Entry => ({
  gameweek: `2026-0${number}`,
  season: 2026,
  number,
  amount: 50,
  league: `2026-0${number}-50-00007`,
  rank: null,
  points: null,
  prize: 0,
  refund: 0,
  at: "2026-08-20T06:00:00Z",
  ...change,
});
const won = (number: number) => entry(number, { rank: 1, points: 78, prize: 450 });
const lost = (number: number) => entry(number, { rank: 4, points: 40 });

const hasEntries = (...entries: Entry[]) =>
  server.use(http.get(url("/api/me/entries"), () => json({ entries, profitAndLoss: 0 })));
const STOPPED = { kind: "break", until: "2027-01-01T00:00:00Z" };
const news = () => screen.findByRole("dialog", { name: "You won KSh 450" });
/** That the page has what it reads, and that nothing opened over it. */
const noNews = async () => {
  await screen.findByText(/^You have not joined yet|^You are playing/);
  expect(screen.queryByRole("dialog", { name: /^You won/ })).not.toBeInTheDocument();
};

/** What is written on the picture; jsdom draws nothing. */
let written: string[] = [];

beforeEach(() => {
  logInAs("player");
  written = [];
  const pen = {
    fillRect: vi.fn(),
    save: vi.fn(),
    translate: vi.fn(),
    fill: vi.fn(),
    restore: vi.fn(),
    measureText: () => ({ width: 100 }),
    fillText: (text: string) => void written.push(text),
  };
  vi.stubGlobal("Path2D", class {});
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation((() => pen) as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done) => done(new Blob(["png"], { type: "image/png" })));
});

test.each([
  [60, "KSh 60 of it has gone towards what you owed, KSh 390 is in your wallet.", true],
  [450, "It has gone towards what you owed.", false],
])("a prize of which %d were owed is not told as being in the wallet", async (owed, words, withdraw) => {
  hasEntries({ ...won(2), towardsDebt: owed });
  openAt("/payment");
  const dialog = within(await news());
  expect(dialog.getByText(words)).toBeInTheDocument();
  expect(dialog.queryByText(/is booked to your wallet/)).not.toBeInTheDocument();
  expect(dialog.queryAllByRole("button", { name: "Withdraw" })).toHaveLength(withdraw ? 1 : 0);
});

test.each<[string, Entry[], number[] | null, ...number[]]>([
  ["what is still played for does not hide it", [entry(3), won(2)], null, 2],
  ["nor does a later loss", [lost(3), won(2)], null, 2],
  ["nor a later refund", [entry(3, { refund: 50, league: null }), won(2)], null, 2],
  ["nor a year of losses, for who was told of one before", [lost(9), lost(8), lost(7), won(6), won(2)], [2], 6],
  ["all of several, the newest first", [won(5), lost(4), won(3)], [2], 5, 3],
  ["not one that was told", [lost(3), won(2)], [2]],
  ["nor two", [won(4), won(2)], [4, 2]],
  ["one that was settled after a later gameweek", [won(4), won(2)], [4], 2],
  ["an old one is no news on a phone where none was told", [lost(5), lost(4), won(3)], null],
  ["none yet", [entry(3)], null],
  ["no entries", [], null],
])("the untold wins: %s", (_, entries, seen, ...numbers) => {
  const gameweeks = seen?.map((number) => `2026-0${number}`) ?? null;
  expect(untoldWins(entries, gameweeks).map(({ number }) => number)).toEqual(numbers);
});

test("what is said of it has no name in it but on the picture, where it is wanted", () => {
  expect(messageOf(won(2), "https://play.example")).toBe(
    "I won KSh 450 in gameweek 2: rank 1 with 78 points. https://play.example/",
  );
  expect(pictureOf(won(2), null)).toEqual({
    what: "Gameweek 2 · Group #7",
    prize: "KSh 450",
    how: "Rank 1 with 78 points",
    name: null,
  });
});

test("a winner is told once, with the league and what to do with the money", async () => {
  hasEntries(won(2));
  const { unmount } = openAt("/payment");
  const told = await news();
  expect(told).toHaveTextContent("Group #7, gameweek 2: rank 1 with 78 points.");
  expect(within(told).getByRole("link", { name: "How Group #7 was paid" })).toHaveAttribute(
    "href",
    "/leagues/2026-02-50-00007/settlement",
  );
  await userEvent.click(within(told).getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByRole("dialog", { name: "Withdraw Funds" })).toBeInTheDocument();
  unmount();
  openAt("/payment");
  await noNews();
});

test("who won twice is told of both at once", async () => {
  hasEntries({ ...won(3), prize: 900 }, won(2));
  openAt("/payment");
  const told = await screen.findByRole("dialog", { name: "You won KSh 900" });
  expect(told).toHaveTextContent("You also won KSh 450 in gameweek 2.");
});

test("of two prizes each is told with what it paid of a debt, and what is left can be withdrawn", async () => {
  hasEntries({ ...won(3), prize: 900, towardsDebt: 900 }, won(2));
  openAt("/payment");
  const told = await screen.findByRole("dialog", { name: "You won KSh 900" });
  expect(told).toHaveTextContent("It has gone towards what you owed.You also won KSh 450 in gameweek 2.");
  expect(within(told).getByRole("button", { name: "Withdraw" })).toBeInTheDocument();
});

test("and the earlier one's, where that was owed", async () => {
  hasEntries({ ...won(3), prize: 900 }, { ...won(2), towardsDebt: 60 });
  openAt("/payment");
  const told = await screen.findByRole("dialog", { name: "You won KSh 900" });
  expect(told).toHaveTextContent("You also won KSh 450 in gameweek 2. KSh 60 of it has gone towards what you owed, KSh 390 is in your wallet.");
});

test.each([
  ["who has stopped playing", { stopped: STOPPED }],
  ["who is asked for a proof of age", { ageProofWanted: true }],
])("%s is told of the prize, and neither to play on nor to bring others", async (_who, change) => {
  server.use(http.get(url("/api/user"), () => json({ ...USER, ...change })));
  hasEntries(won(2));
  openAt("/payment");
  const told = within(await news());
  expect(await told.findByText("The prize is booked to your wallet. You can withdraw it to M-Pesa.")).toBeInTheDocument();
  expect(told.getByRole("button", { name: "Withdraw" })).toBeInTheDocument();
  expect(told.queryByRole("button", { name: "Play on with it" })).not.toBeInTheDocument();
  expect(told.queryByRole("button", { name: "Make a picture to share" })).not.toBeInTheDocument();
});

/** As a team's pitch ends: it leaves the page, and no event tells of it. */
function Team() {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <Dialog open title="A team" onClose={() => setOpen(false)}>
      Eleven
    </Dialog>
  );
}

const Alone = ({ client, children }: { client: ReturnType<typeof newQueryClient>; children?: ReactNode }) => (
  <MemoryRouter>
    <QueryClientProvider client={client}>
      {children}
      <WinNews quiet={false} onWithdraw={() => {}} />
    </QueryClientProvider>
  </MemoryRouter>
);

test("a win that becomes known while the page is open is told without the one that was told before", async () => {
  hasEntries(won(2));
  const client = newQueryClient();
  render(<Alone client={client} />);
  await userEvent.click(within(await news()).getByRole("button", { name: "Play on with it" }));
  hasEntries({ ...won(3), prize: 900 }, won(2));
  await client.invalidateQueries();
  const told = await screen.findByRole("dialog", { name: "You won KSh 900" });
  expect(told).not.toHaveTextContent("You also won");
});

test("a win opens over nothing that the player has opened: it waits until that is closed", async () => {
  hasEntries(won(2));
  const client = newQueryClient();
  render(
    <Alone client={client}>
      <Team />
    </Alone>,
  );
  await waitFor(() => {
    expect(client.getQueryData(entriesQuery.queryKey)).toBeDefined();
    expect(client.getQueryData(settingsQuery.queryKey)).toBeDefined();
  });
  expect(screen.queryByRole("dialog", { name: /^You won/ })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  const told = within(await news());
  await userEvent.click(told.getByRole("button", { name: "Make a picture to share" }));
  expect(await told.findByRole("button", { name: "Save the picture" })).toBeInTheDocument();
  await waitFor(() => expect(written).toContain("KSh 450"));
});

test("who logs out and in again is not told the same once more, and the next win is told", async () => {
  hasEntries(won(2));
  const { unmount } = openAt("/payment");
  await news();
  unmount();
  clearEverything();
  logInAs("player");
  const again = openAt("/payment");
  await noNews();
  again.unmount();
  hasEntries(lost(4), won(3), won(2));
  openAt("/payment");
  expect(await news()).toHaveTextContent("gameweek 3");
});

test("a league that is settled after a later gameweek is told too, at the next visit", async () => {
  hasEntries({ ...won(3), prize: 900 }, entry(2));
  const { unmount } = openAt("/payment");
  await screen.findByRole("dialog", { name: "You won KSh 900" });
  unmount();
  hasEntries({ ...won(3), prize: 900 }, won(2));
  openAt("/payment");
  expect(await news()).toHaveTextContent("gameweek 2");
});

test("the leagues' page tells it too, and only one of the two pages does", async () => {
  hasEntries(won(2));
  const { unmount } = openAt("/leagues");
  await userEvent.click(within(await news()).getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByRole("dialog", { name: "Withdraw Funds" })).toBeInTheDocument();
  unmount();
  openAt("/payment");
  await noNews();
});

const SETTLEMENT = {
  league: "2026-02-50-00007",
  basis: "two-readings",
  at: "2026-08-18T08:00:00Z",
  deductTransferPoints: true,
  collected: 500,
  fee: 50,
  feePercent: 10,
  rounding: 0,
  figuresHash: "60303ae22b998861",
  ranking: [],
};
const hasSettlement = () => server.use(http.get(url("/api/leagues/:league/settlement"), () => json(SETTLEMENT)));

test("who comes by the mail about the prize, which leads to the settlement, is told there", async () => {
  hasSettlement();
  hasEntries(won(2));
  const { unmount } = openAt("/leagues/2026-02-50-00007/settlement");
  await userEvent.click(within(await news()).getByRole("link", { name: "How Group #7 was paid" }));
  expect(screen.queryByRole("dialog", { name: /^You won/ })).not.toBeInTheDocument();
  expect(await screen.findByText("60303ae22b998861")).toBeInTheDocument();
  unmount();
  // One that was settled later.
  hasEntries(won(2), won(1));
  const again = openAt("/leagues/2026-02-50-00007/settlement");
  await userEvent.click(within(await news()).getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByRole("dialog", { name: "Withdraw Funds" })).toBeInTheDocument();
  again.unmount();
  openAt("/payment");
  await noNews();
});

test("a guest's settlement is told to nobody, and asks for nothing of a player's", async () => {
  clearEverything();
  hasSettlement();
  const asked: string[] = [];
  const note = ({ request }: { request: Request }) => void asked.push(new URL(request.url).pathname);
  server.events.on("request:start", note);
  openAt("/leagues/2026-02-50-00007/settlement");
  expect(await screen.findByText("60303ae22b998861")).toBeInTheDocument();
  server.events.removeListener("request:start", note);
  expect(asked).toEqual(["/api/leagues/2026-02-50-00007/settlement"]);
});

test("the terms come first, and the win when they are agreed to or put off", async () => {
  const terms = { ...USER.terms, agreed: [] };
  server.use(http.get(url("/api/user"), () => json({ ...USER, terms })));
  hasEntries(won(2));
  openAt("/payment");
  const asked = within(await screen.findByRole("dialog", { name: "Our terms" }));
  await screen.findByText(/^You have not joined yet/);
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  await userEvent.click(asked.getByRole("button", { name: "Not now" }));
  await news();
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
});

test("each gameweek's win is told, and each player's", async () => {
  localStorage.setItem("decided:u1", "2026-02");
  localStorage.setItem("decided:u2", "2026-03,2026-02");
  hasEntries(won(3), won(2));
  openAt("/payment");
  expect(await news()).toHaveTextContent("gameweek 3");
});

test("it waits while something else is asked of the player", async () => {
  hasEntries(won(2));
  const { unmount } = openAt("/checkout-wallet");
  expect(await screen.findByRole("button", { name: "Join for 50" })).toBeInTheDocument();
  expect(screen.queryByRole("dialog", { name: /^You won/ })).not.toBeInTheDocument();
  unmount();
  openAt("/payment");
  expect(await news()).toBeInTheDocument();
});

test("the picture has no name unless it is wanted, and is saved as a file", async () => {
  const made = vi.fn(() => "blob:picture");
  Object.assign(URL, { createObjectURL: made, revokeObjectURL: vi.fn() });
  hasEntries(won(2));
  openAt("/payment");
  await news();
  await userEvent.click(await screen.findByRole("button", { name: "Make a picture to share" }));
  const named = await screen.findByRole("checkbox", { name: /^With my username/ });
  expect(written).toEqual(expect.arrayContaining(["I won", "KSh 450", "Rank 1 with 78 points", "Gameweek 2 · Group #7"]));
  expect(written.join()).not.toContain("wanjiru");
  await userEvent.click(named);
  expect(written).toContain("wanjiru won");
  expect(screen.queryByRole("button", { name: "Share the picture" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Save the picture" }));
  await waitFor(() => expect(made).toHaveBeenCalledOnce());
  const words = screen.getByRole("link", { name: /WhatsApp/ }).getAttribute("href") ?? "";
  expect(words.startsWith("https://wa.me/?text=I%20won%20KSh%20450")).toBe(true);
  expect(words).not.toContain("wanjiru");
});

test("a phone that shares files gets the picture in its own sheet; who closes that is told nothing", async () => {
  const share = vi.fn().mockRejectedValueOnce(new DOMException("closed", "AbortError")).mockResolvedValueOnce(undefined);
  Object.assign(navigator, { share, canShare: () => true });
  hasEntries(won(2));
  openAt("/entries");
  await userEvent.click(await screen.findByRole("button", { name: "Share the win of gameweek 2" }));
  const button = await screen.findByRole("button", { name: "Share the picture" });
  for (const times of [1, 2]) {
    await userEvent.click(button);
    await waitFor(() => expect(share).toHaveBeenCalledTimes(times));
    expect(screen.queryByText(/could not be made|did not take/)).not.toBeInTheDocument();
  }
  const [[{ files }]] = share.mock.calls as [[{ files: File[] }]];
  expect(files.map(({ name, type }) => [name, type])).toEqual([["gameweek-2.png", "image/png"]]);
});

test("a phone that refuses the picture is not said to be unable to make one", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  Object.assign(navigator, { share: vi.fn().mockRejectedValue(new DOMException("no", "NotAllowedError")), canShare: () => true });
  hasEntries(won(2));
  openAt("/entries");
  await userEvent.click(await screen.findByRole("button", { name: "Share the win of gameweek 2" }));
  await userEvent.click(await screen.findByRole("button", { name: "Share the picture" }));
  expect(await screen.findByText("This phone did not take the picture. Save it, and send it from your photos.")).toBeInTheDocument();
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done) => done(null));
  await userEvent.click(screen.getByRole("button", { name: "Share the picture" }));
  expect(await screen.findByText("The picture could not be made on this phone.")).toBeInTheDocument();
});

test("where the operator may not advertise the winner is told all the same, and nothing is there to share", async () => {
  server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, promotions: false })));
  hasEntries(won(2));
  const { unmount } = openAt("/payment");
  const told = await news();
  expect(within(told).queryByRole("button", { name: /picture/ })).not.toBeInTheDocument();
  unmount();
  openAt("/entries");
  expect(await screen.findByText("Won KSh 450")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /^Share/ })).not.toBeInTheDocument();
});
