import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../../api/client";
import * as file from "../../../lib/save-file";
import { clearEverything, expireSession, startSession } from "../../../lib/session";
import { logInAs } from "../../../testing/app";
import { dialog, part, taking } from "../../../testing/panel";
import { json, server, told, url } from "../../../testing/server";

const OFF: Schemas["SecondFactor"] = { enrolled: false, recoveryCodesLeft: 0 };
const ON: Schemas["SecondFactor"] = { enrolled: true, since: "2026-08-20T09:00:00Z", recoveryCodesLeft: 10 };
const ENROLMENT = { secret: "JBSWY3DPEHPK3PXP", uri: "otpauth://totp/x", qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"/>' };
const OTHER = { token: "t", userId: "u9", username: "otieno", fplId: "", email: "o@example.com", role: "admin" };
const PATH = "/api/admin/totp";

let now: Schemas["SecondFactor"];
beforeEach(() => {
  logInAs("admin");
  now = OFF;
  server.use(
    http.get(url(PATH), () => json(now)),
    http.post(url(PATH), () => json(ENROLMENT)),
  );
});
const open = () => part("Code at log-in", "/panel/security");
const enter = async (section: Awaited<ReturnType<typeof open>>, code: string, button: string) => {
  await userEvent.type(section.getByLabelText("Code"), code);
  await userEvent.click(section.getByRole("button", { name: button }));
};

/** Begins with the password. */
const setUp = async (section: Awaited<ReturnType<typeof open>>) => {
  await userEvent.type(await section.findByLabelText("Your password"), "correct horse");
  await userEvent.click(section.getByRole("button", { name: "Set up" }));
};

describe("a code at log-in", () => {
  test("set up by a picture or a key, in force by a code; the recovery codes are shown until they are kept", async () => {
    const saved = vi.spyOn(file, "saveFile").mockReturnValue(undefined);
    const sent = taking("post", `${PATH}/confirm`, () => {
      now = ON;
      return json({ recoveryCodes: ["k3mpq-7xw2a", "abcde-fghij"] });
    });
    const section = await open();
    await setUp(section);
    const picture = await section.findByRole("img", { name: "QR code for your authenticator app" });
    expect(picture).toHaveAttribute("src", `data:image/svg+xml,${encodeURIComponent(ENROLMENT.qrSvg)}`);
    expect(section.getByText("JBSWY3DPEHPK3PXP")).toBeInTheDocument();
    await enter(section, "492039", "Turn on");
    const codes = await dialog("Keep these recovery codes");
    expect(codes.getByText("k3mpq-7xw2a")).toBeInTheDocument();
    expect(codes.getByText("Write them down now: they are not shown again.")).toBeInTheDocument();
    await userEvent.click(codes.getByRole("button", { name: "Save as a file" }));
    expect(saved).toHaveBeenCalledWith("recovery-codes.txt", ["k3mpq-7xw2a\nabcde-fghij", "\n"], "text/plain");
    await userEvent.click(codes.getByRole("button", { name: "I have kept them" }));
    expect(section.queryByText("k3mpq-7xw2a")).not.toBeInTheDocument();
    expect(await section.findByText(/^From now on your log-in asks for a code\./)).toBeInTheDocument();
    expect(await section.findByText("On since Thu 20 Aug, 12:00. 10 recovery codes are left.")).toBeInTheDocument();
    expect(sent).toEqual([{ password: "correct horse", code: "492039" }]);
  });

  test("the recovery codes are not closed by Escape, by a tap beside them or by the browser, and not left without being asked", async () => {
    taking("post", `${PATH}/confirm`, () => {
      now = ON;
      return json({ recoveryCodes: ["k3mpq-7xw2a"] });
    });
    const section = await open();
    await setUp(section);
    await section.findByRole("img");
    await enter(section, "492039", "Turn on");
    const codes = await screen.findByRole<HTMLDialogElement>("dialog", { name: "Keep these recovery codes" });
    expect(within(codes).queryByRole("button", { name: "Close" })).not.toBeInTheDocument();
    expect(fireEvent(codes, new Event("cancel", { cancelable: true }))).toBe(false);
    for (const event of [fireEvent.pointerDown, fireEvent.pointerUp, fireEvent.click]) event(codes, { clientX: 5, clientY: 5 });
    // As a browser does at the second Escape.
    act(() => codes.close());
    expect(codes.open).toBe(true);
    expect(within(codes).getByText("k3mpq-7xw2a")).toBeInTheDocument();
    const leaves = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(leaves()).toBe(false);
    await userEvent.click(within(codes).getByRole("button", { name: "I have kept them" }));
    expect(codes.open).toBe(false);
    expect(leaves()).toBe(true);
  });

  test.each([
    ["who goes away and comes back", () => undefined, true],
    ["who has to log in again meanwhile", () => (expireSession(), logInAs("admin")), true],
    ["who has logged out", () => (clearEverything(), logInAs("admin")), false],
    ["who is somebody else", () => (expireSession(), startSession(OTHER), logInAs("admin")), false],
  ])("recovery codes that are not kept yet, for %s", async (_who, meanwhile, shown) => {
    now = ON;
    taking("post", `${PATH}/recovery-codes`, () => json({ recoveryCodes: ["abcde-fghij"] }));
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "New recovery codes" }));
    await enter(await dialog("New recovery codes"), "492040", "Make new ones");
    await dialog("Keep these recovery codes");
    cleanup();
    meanwhile();
    const again = await open();
    if (!shown) await again.findByRole("button", { name: "New recovery codes" });
    else expect((await dialog("Keep these recovery codes")).getByText("abcde-fghij")).toBeInTheDocument();
    expect(screen.queryAllByText("abcde-fghij")).toHaveLength(shown ? 1 : 0);
  });

  test("since when it is on has its year where that is another one", async () => {
    now = { ...ON, since: "2024-11-02T09:00:00Z" };
    const section = await open();
    expect(await section.findByText("On since Sat 2 Nov 2024, 12:00. 10 recovery codes are left.")).toBeInTheDocument();
  });

  test("a code that is not right: the server's words, and picture and code stay", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", `${PATH}/confirm`, () => told(400, "That code is not right."));
    const section = await open();
    await setUp(section);
    await section.findByRole("img");
    await userEvent.click(section.getByRole("button", { name: "Turn on" }));
    expect(section.getByRole("alert")).toHaveTextContent("Enter the code from your authenticator app.");
    await enter(section, "000000", "Turn on");
    expect(await section.findByText("That code is not right.")).toBeInTheDocument();
    expect(section.getByLabelText("Code")).toHaveValue("000000");
    expect(section.getByRole("img")).toBeInTheDocument();
  });

  test("where the answer with the recovery codes is lost it says that it is on, and the way to new ones", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", `${PATH}/confirm`, () => {
      now = ON;
      return Response.error();
    });
    taking("post", `${PATH}/recovery-codes`, () => json({ recoveryCodes: ["k3mpq-7xw2a"] }));
    const section = await open();
    await setUp(section);
    await section.findByRole("img");
    await enter(section, "492039", "Turn on");
    expect(await section.findByText(/^No answer came, and it is on: .* Make new ones\.$/)).toBeInTheDocument();
    expect(section.queryByRole("alert")).not.toBeInTheDocument();
    expect(section.queryByRole("img")).not.toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "New recovery codes" }));
    await enter(await dialog("New recovery codes"), "492040", "Make new ones");
    const codes = await dialog("Keep these recovery codes");
    await userEvent.click(codes.getByRole("button", { name: "I have kept them" }));
    expect(section.queryByText(/^No answer came/)).not.toBeInTheDocument();
    expect(section.queryByRole("img")).not.toBeInTheDocument();
  });

  test("it begins with the password", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const sent = taking("post", PATH, () => told(400, "That password is not right."));
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "Set up" }));
    expect(section.getByRole("alert")).toHaveTextContent("Enter your password once more.");
    expect(sent).toEqual([]);
    await setUp(section);
    expect(await section.findByText("That password is not right.")).toBeInTheDocument();
    expect(sent).toEqual([{ password: "correct horse" }]);
  });

  test("new recovery codes are made by a code, and shown until they are kept", async () => {
    now = { ...ON, recoveryCodesLeft: 2 };
    const sent = taking("post", `${PATH}/recovery-codes`, () => {
      now = ON;
      return json({ recoveryCodes: ["abcde-fghij"] });
    });
    const section = await open();
    await userEvent.click(await section.findByRole("button", { name: "New recovery codes" }));
    await enter(await dialog("New recovery codes"), "492040", "Make new ones");
    const codes = await dialog("Keep these recovery codes");
    expect(codes.getByText("abcde-fghij")).toBeInTheDocument();
    await userEvent.click(codes.getByRole("button", { name: "I have kept them" }));
    expect(await section.findByText("You have new recovery codes. Those from before are good for nothing.")).toBeInTheDocument();
    expect(await section.findByText(/10 recovery codes are left\.$/)).toBeInTheDocument();
    expect(sent).toEqual([{ code: "492040" }]);
  });

  test("it takes a code to turn it off", async () => {
    now = { ...ON, recoveryCodesLeft: 1 };
    const sent = taking("post", `${PATH}/remove`, () => json((now = OFF)));
    const section = await open();
    expect(await section.findByText(/1 recovery code is left\.$/)).toBeInTheDocument();
    expect(section.getByText("Make new recovery codes before the last one is used.")).toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Turn off" }));
    const question = await dialog("Turn off the code at log-in");
    await enter(question, "k3mpq-7xw2a", "Turn off");
    expect(await section.findByText("Your log-in no longer asks for a code. Your other sessions have ended.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Set up" })).toBeInTheDocument();
    expect(sent).toEqual([{ code: "k3mpq-7xw2a" }]);
  });

  test("where it cannot be read or begun it says so", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    server.use(http.post(url(PATH), () => told(409, "You use codes of an authenticator app already. Remove that first.")));
    const section = await open();
    await setUp(section);
    expect(await section.findByRole("alert")).toHaveTextContent(/^You use codes of an authenticator app already/);
  });
});
