import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { json, server, told, url } from "../../testing/server";

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

  test("what is no number is not asked for", async () => {
    open(NONE);
    await userEvent.click(await screen.findByRole("button", { name: "Get a code" }));
    expect(await screen.findByText("FPL ID must be a numeric value.")).toBeInTheDocument();
  });
});
