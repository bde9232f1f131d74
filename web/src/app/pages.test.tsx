import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { afterEach, describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../testing/app";
import { gate } from "../testing/gate";
import { json, server, told, url } from "../testing/server";

describe("a referral link (spec sections 2, 7 and 8)", () => {
  afterEach(() => void vi.useRealTimers());

  test("'Redirecting…' while the visit is recorded with noRedirect=1, then registration with the code", async () => {
    const visit = gate<Response>();
    const asked: string[] = [];
    server.use(
      http.get(url("/api/influencer/ref/abc"), ({ request }) => {
        asked.push(new URL(request.url).search);
        return visit.wait();
      }),
    );
    openAt("/ref/abc");
    expect(await screen.findByText("Redirecting…")).toBeInTheDocument();
    await visit.asked;
    visit.open(json({ code: "abc" }));
    expect(await screen.findByTestId("/register")).toHaveTextContent("?ref=abc");
    expect(asked).toEqual(["?noRedirect=1"]);
  });

  test.each([
    ["nobody has the code", () => told(404, "No such code.")],
    ["the server stumbles", () => json({}, { status: 500 })],
    ["no answer comes", () => Response.error()],
  ])("%s: on to registration all the same", async (_what, answer) => {
    server.use(http.get(url("/api/influencer/ref/abc"), answer));
    openAt("/ref/abc");
    expect(await screen.findByTestId("/register")).toHaveTextContent("?ref=abc");
  });

  test("an answer that does not come is not waited for", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const visit = gate<Response>();
    server.use(http.get(url("/api/influencer/ref/abc"), visit.wait));
    openAt("/ref/abc");
    await visit.asked;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await screen.findByTestId("/register")).toBeInTheDocument();
  });
});

describe("the pages that are read", () => {
  test("/gameweek: six news cards, each with a picture, a title and a summary (spec section 2)", async () => {
    openAt("/gameweek");
    expect(await screen.findByRole("heading", { name: "Premier League Latest" })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Gameweek News" })).toBeInTheDocument();
    const cards = screen.getAllByRole("article");
    expect(cards).toHaveLength(6);
    for (const card of cards) {
      expect(card.querySelector("svg")).not.toBeNull();
      expect(within(card).getByRole("heading", { level: 3 })).not.toBeEmptyDOMElement();
      expect(card.querySelector("p")).not.toBeEmptyDOMElement();
    }
  });

  test("'View About Gameweek' leads to the news (spec section 2)", async () => {
    logInAs("player");
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "View About Gameweek" }));
    expect(await screen.findByTestId("/gameweek")).toBeInTheDocument();
  });

  test("/contact: email, SMS and WhatsApp at the addresses that are set (spec section 2)", async () => {
    openAt("/contact");
    const link = async (name: RegExp) => (await screen.findByRole("link", { name })).getAttribute("href");
    expect(await link(/^Email/)).toBe("mailto:help@fplleagues.test");
    expect(await link(/^SMS/)).toBe("sms:+254700000000");
    expect(await link(/^WhatsApp/)).toBe("https://wa.me/254700000000");
  });

  test("/get-fpl-id: three steps with pictures, and the video in a new tab (spec section 2)", async () => {
    openAt("/get-fpl-id");
    const steps = await screen.findAllByRole("figure");
    expect(steps.map((step) => step.textContent)).toEqual([
      expect.stringContaining("Log in on the fantasy site in a browser, not the app."),
      expect.stringContaining("Open the Points tab."),
      expect.stringContaining("Read the number after /entry/ in the address bar."),
    ]);
    for (const step of steps) expect(step.querySelector("svg")).not.toBeNull();
    const video = screen.getByRole("link", { name: "Watch the video" });
    expect(video).toHaveAttribute("href", "/tutorial");
    expect(video).toHaveAttribute("target", "_blank");
  });

  test("/tutorial: the video with its captions; nothing of it is loaded before it is started", async () => {
    openAt("/tutorial");
    await screen.findByRole("heading", { name: "Find your FPL ID" });
    const video = document.querySelector("video");
    expect(video).toHaveAttribute("preload", "none");
    expect(video?.querySelector("source")).toHaveAttribute("src", "/tutorial.mp4");
    expect(video?.querySelector("track")).toHaveAttribute("src", "/tutorial.vtt");
  });

  test.each([
    ["/terms", "Terms"],
    ["/privacy", "Privacy"],
    ["/responsible-play", "Responsible play"],
  ])("%s is reached from every screen's end", async (address, title) => {
    openAt("/login");
    await userEvent.click(await screen.findByRole("link", { name: title }));
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeInTheDocument();
    expect(screen.getByTestId(address)).toBeInTheDocument();
  });
});
