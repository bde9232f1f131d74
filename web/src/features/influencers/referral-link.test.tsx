import { screen } from "@testing-library/react";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { json, server, told, url } from "../../testing/server";

describe("a referral link (spec sections 2, 7 and 8)", () => {

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
    ["who is logged in says so: their own link is no visit", true, "Bearer token-1"],
    ["anybody else is unknown", false, null],
  ])("%s", async (_who, isIn, bearer) => {
    if (isIn) logInAs("player");
    const seen: (string | null)[] = [];
    server.use(
      http.get(url("/api/influencer/ref/abc"), ({ request }) => {
        seen.push(request.headers.get("authorization"));
        return json({ code: "abc" });
      }),
    );
    openAt("/ref/abc");
    expect(await screen.findByTestId("/register")).toHaveTextContent("?ref=abc");
    expect(seen).toEqual([bearer]);
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
