/** The admin's log-in with a code of an authenticator app, on a phone, against the whole local stack. */
import { expect, test } from "@playwright/test";
import { codeOf } from "./authenticator";
import { expectAccessible } from "./axe";
import { ADMIN, logIn, openPart } from "./steps";
import { World } from "./world";

test("the admin's log-in asks for a code, once that is set up", async ({ page: desk, request }) => {
  const world = new World(request);
  await logIn(desk, ADMIN);
  await openPart(desk, "Log-in");
  const factor = desk.getByRole("region", { name: "Code at log-in" });
  let secret = "";
  let recovery = "";

  await test.step("a picture or a key, then a code; the recovery codes are shown", async () => {
    await factor.getByLabel("Your password", { exact: true }).fill(ADMIN.password);
    await factor.getByRole("button", { name: "Set up" }).click();
    await expect(factor.getByRole("img", { name: /^QR code/ })).toBeVisible();
    secret = await factor.locator("code").innerText();
    await expectAccessible(desk, "setting up a code");
    await factor.getByLabel("Code", { exact: true }).fill(codeOf(secret, await world.now()));
    await factor.getByRole("button", { name: "Turn on" }).click();
    recovery = await factor.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").first().innerText();
    await factor.getByRole("button", { name: "I have kept them" }).click();
    await expect(factor.getByText(/10 recovery codes are left\.$/)).toBeVisible();
  });

  await test.step("the next log-in asks for one", async () => {
    await desk.getByRole("button", { name: "Log out" }).click();
    await desk.getByRole("dialog").getByRole("button", { name: /log out/i }).click();
    await desk.goto("/login");
    await desk.getByLabel("Email").fill(ADMIN.email);
    await desk.getByLabel("Password", { exact: true }).fill(ADMIN.password);
    await desk.getByRole("button", { name: "Login" }).click();
    await expect(desk.getByLabel("Code", { exact: true })).toBeFocused();
    await expectAccessible(desk, "the code at log-in");
    await desk.getByLabel("Code", { exact: true }).fill("000000");
    await desk.getByRole("button", { name: "Login" }).click();
    await expect(desk.getByRole("alert")).toContainText("That code is not right.");
    // The one that confirmed is used up: the next one counts already.
    await desk.getByLabel("Code", { exact: true }).fill(codeOf(secret, new Date((await world.now()).getTime() + 30_000)));
    await desk.getByRole("button", { name: "Login" }).click();
    await expect(desk).toHaveURL(/\/panel$/);
  });

  await test.step("a recovery code turns it off again", async () => {
    await openPart(desk, "Log-in");
    await factor.getByRole("button", { name: "Turn off" }).click();
    const dialog = desk.getByRole("dialog");
    await dialog.getByLabel("Code", { exact: true }).fill(recovery);
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await expect(factor.getByText(/^Your log-in no longer asks for a code\./)).toBeVisible();
  });
});
