import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import { logInAs, openAt } from "../../../testing/app";
import { GAMEWEEK, json, server, SWITCHES, url } from "../../../testing/server";

describe("the deduction (spec sections 2 and 8)", () => {
  test.each([
    [true, { deductTransferPoints: false }, "Transfer point deduction is now OFF"],
    [false, { deductTransferPoints: true }, "Transfer point deduction is now ON"],
    [
      false,
      { deductTransferPoints: true, message: "Transfer point deduction is now ON. It counts from the next gameweek." },
      "Transfer point deduction is now ON. It counts from the next gameweek.",
    ],
  ])("the deduction says what it is now, ON or OFF (%#)", async (before, answer, text) => {
    logInAs("admin");
    let deductTransferPoints = before;
    server.use(
      http.get(url("/api/admin/switches"), () => json({ ...SWITCHES, deductTransferPoints })),
      http.post(url("/api/points/toggle-deduction"), () => {
        deductTransferPoints = answer.deductTransferPoints;
        return json(answer);
      }),
    );
    openAt("/panel");
    const deduction = await screen.findByRole<HTMLInputElement>("switch", { name: "Transfer point deduction" });
    expect(deduction.checked).toBe(before);
    await userEvent.click(deduction);
    await userEvent.click(await screen.findByRole("button", { name: before ? "Turn it off" : "Turn it on" }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(deduction.checked).toBe(!before);
  });

  test.each([
    [{}, /It counts from the next gameweek whose deadline has not passed: gameweek 3\./],
    [{ isOpen: false, state: "closed" as const }, /It counts from the next gameweek whose deadline has not passed\. A gameweek/],
  ])("the deduction asks first, says from when it counts, and can be called off (%#)", async (status, text) => {
    logInAs("admin");
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, ...status })));
    openAt("/panel");
    const deduction = await screen.findByRole("switch", { name: "Transfer point deduction" });
    await userEvent.click(deduction);
    const dialog = within(await screen.findByRole("dialog", { name: "Turn the deduction off" }));
    expect(dialog.getByText(text)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(deduction).toBeChecked();
  });

  test("turned off, it can be turned on at once, though the edge still tells everybody what was before", async () => {
    logInAs("admin");
    let deductTransferPoints = true;
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, deductTransferPoints: true })),
      http.get(url("/api/admin/switches"), () => json({ ...SWITCHES, deductTransferPoints })),
      http.post(url("/api/points/toggle-deduction"), () => {
        deductTransferPoints = !deductTransferPoints;
        return json({ deductTransferPoints });
      }),
    );
    openAt("/panel");
    for (const [turn, state] of [["Turn it off", "OFF"], ["Turn it on", "ON"]] as const) {
      await userEvent.click(await screen.findByRole("switch", { name: "Transfer point deduction" }));
      await userEvent.click(await screen.findByRole("button", { name: turn }));
      expect(await screen.findByText(`Transfer point deduction is now ${state}`)).toBeInTheDocument();
    }
    expect(screen.getByRole("switch", { name: "Transfer point deduction" })).toBeChecked();
  });

  test("the switch that cannot be read says so, and can be read again", async () => {
    logInAs("admin");
    server.use(http.get(url("/api/admin/switches"), () => json({ message: "Too many requests." }, { status: 429 })));
    openAt("/panel");
    const said = await screen.findByText("The deduction could not be read just now.");
    server.use(http.get(url("/api/admin/switches"), () => json(SWITCHES)));
    await userEvent.click(within(said.parentElement!).getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("switch", { name: "Transfer point deduction" })).toBeChecked();
  });

  test("what another admin has turned off meanwhile is not turned on again", async () => {
    logInAs("admin");
    const message = "Transfer point deduction is already OFF. Nothing was changed.";
    const sent: string[] = [];
    server.use(
      http.post(url("/api/points/toggle-deduction"), ({ request }) => {
        sent.push(new URL(request.url).search);
        return json({ deductTransferPoints: false, message });
      }),
    );
    openAt("/panel");
    const deduction = await screen.findByRole("switch", { name: "Transfer point deduction" });
    await userEvent.click(deduction);
    await userEvent.click(await screen.findByRole("button", { name: "Turn it off" }));
    expect(await screen.findByText(message)).toBeInTheDocument();
    await waitFor(() => expect(deduction).not.toBeChecked());
    expect(sent).toEqual(["?deductTransferPoints=false"]);
  });

  test("after a lost answer it is said that it may have been done, and the switch shows whether it was", async () => {
    logInAs("admin");
    let deductTransferPoints = true;
    server.use(
      http.get(url("/api/admin/switches"), () => json({ ...SWITCHES, deductTransferPoints })),
      http.post(url("/api/points/toggle-deduction"), () => {
        deductTransferPoints = false;
        return Response.error();
      }),
    );
    openAt("/panel");
    const deduction = await screen.findByRole("switch", { name: "Transfer point deduction" });
    await userEvent.click(deduction);
    await userEvent.click(await screen.findByRole("button", { name: "Turn it off" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/No answer came: see at the switch/);
    await waitFor(() => expect(deduction).not.toBeChecked());
  });

  test("why the deduction is not switched is said", async () => {
    logInAs("admin");
    const message = "This is your own account's. Another admin has to do it.";
    server.use(http.post(url("/api/points/toggle-deduction"), () => json({ message }, { status: 403 })));
    openAt("/panel");
    await userEvent.click(await screen.findByRole("switch", { name: "Transfer point deduction" }));
    await userEvent.click(await screen.findByRole("button", { name: "Turn it off" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(`Failed to update deduction status. ${message}`);
  });

  test.each([
    ["a refusal", () => json({}, { status: 500 })],
    ["no answer", () => Response.error()],
  ])("a deduction that is not switched says so: %s", async (_what, answer) => {
    logInAs("admin");
    server.use(http.post(url("/api/points/toggle-deduction"), answer));
    openAt("/panel");
    const deduction = await screen.findByRole("switch", { name: "Transfer point deduction" });
    await userEvent.click(deduction);
    await userEvent.click(await screen.findByRole("button", { name: "Turn it off" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Failed to update deduction status.");
    expect(deduction).toBeChecked();
  });
});
