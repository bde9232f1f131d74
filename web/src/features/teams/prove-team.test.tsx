import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { json, noAnswer, server, told, url, USER } from "../../testing/server";

const PROOF = "/api/user/team/proof";
const NONE = { fplId: "", proved: false, code: null, teamName: null, expiresAt: null };
const ISSUED = { fplId: "4242", proved: false, code: "BCDF2345", teamName: "Rangers", expiresAt: "2026-08-21T09:00:00Z" };

beforeEach(() => logInAs("player"));

const open = (proof: object) => {
  server.use(http.get(url(PROOF), () => json(proof)));
  openAt("/team");
};

describe("proving a team", () => {
  test("a number, a code, and the look for it", async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(url(PROOF), async ({ request }) => {
        sent.push(await request.json());
        return json(ISSUED, { status: 201 });
      }),
      http.post(url(`${PROOF}/check`), () => json({ ...NONE, fplId: "4242", proved: true })),
    );
    open(NONE);
    await userEvent.type(await screen.findByLabelText("FPL ID"), "4242");
    await userEvent.click(screen.getByRole("button", { name: "Get a code" }));
    expect(await screen.findByText("BCDF2345")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Copy the code" })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "It is in the name: look now" }));
    expect(await screen.findByText("Team 4242 is yours: you have proved it.")).toBeInTheDocument();
    expect(sent).toEqual([{ fplId: "4242" }]);
  });

  test("a refusal is in the server's words, and the code stays", async () => {
    server.use(http.post(url(`${PROOF}/check`), () => told(409, "The code is not in your team's name yet.")));
    open(ISSUED);
    await userEvent.click(await screen.findByRole("button", { name: "It is in the name: look now" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("The code is not in your team's name yet.");
    expect(screen.getByText("BCDF2345")).toBeInTheDocument();
  });

  test("a mistyped number is no dead end: a code for another one takes its place", async () => {
    const sent: unknown[] = [];
    server.use(
      http.get(url("/api/user"), () => json({ ...USER, fplId: "", needsTeam: true })),
      http.post(url(PROOF), async ({ request }) => {
        sent.push(await request.json());
        return json({ ...ISSUED, fplId: "777", code: "WXYZ6789" }, { status: 201 });
      }),
    );
    open(ISSUED);
    await userEvent.click(await screen.findByText("Is it another team?"));
    await userEvent.type(screen.getByLabelText("FPL ID"), "777");
    await userEvent.click(screen.getByRole("button", { name: "Get a code" }));
    expect(await screen.findByText("WXYZ6789")).toBeInTheDocument();
    expect(screen.getByText("Is it another team?").closest("details")).not.toHaveAttribute("open");
    expect(sent).toEqual([{ fplId: "777" }]);
  });

  test("who has the team proves that one: no other is offered", async () => {
    open(ISSUED);
    expect(await screen.findByText("BCDF2345")).toBeInTheDocument();
    await vi.waitFor(() => expect(localStorage.getItem("wallet")).toBe("500"));
    expect(screen.queryByText("Is it another team?")).not.toBeInTheDocument();
  });

  test("where the answer was lost the code that counts is shown, for the old one would be looked for in vain", async () => {
    open(ISSUED);
    await screen.findByText("BCDF2345");
    server.use(http.get(url(PROOF), () => json({ ...ISSUED, code: "WXYZ6789" })), http.post(url(PROOF), noAnswer));
    await userEvent.click(screen.getByRole("button", { name: "A new code" }));
    expect(await screen.findByText("WXYZ6789")).toBeInTheDocument();
    expect(screen.getByRole("alert")).toHaveTextContent("No answer came. If there is a new code, it is shown here; if not, please try again.");
  });

  test("a team that was linked meanwhile is in its field, which takes no other", async () => {
    open(NONE);
    await userEvent.type(await screen.findByLabelText("FPL ID"), "7");
    server.use(http.get(url(PROOF), () => json({ ...NONE, fplId: "4242" })), http.post(url(PROOF), noAnswer));
    await userEvent.click(screen.getByRole("button", { name: "Get a code" }));
    await vi.waitFor(() => expect(screen.getByLabelText("FPL ID")).toHaveValue("4242"));
    expect(screen.getByLabelText("FPL ID")).toHaveAttribute("readonly");
  });

  test("what is no number is not asked for", async () => {
    open(NONE);
    await userEvent.click(await screen.findByRole("button", { name: "Get a code" }));
    expect(await screen.findByText("FPL ID must be a numeric value.")).toBeInTheDocument();
  });
});
