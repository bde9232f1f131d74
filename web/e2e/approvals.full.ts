/** What one admin wants done and another approves, with the safeguards full, against the whole local stack. */
import { expect, test, type Page } from "@playwright/test";
import { codeOf } from "./authenticator";
import { expectAccessible } from "./axe";
import { ADMIN, logIn, newPerson, newPhone, openPart } from "./steps";
import { World } from "./world";

const SECOND = { email: process.env.SECOND_ADMIN ?? "", password: "correct horse" };
const HOUR = 3_600_000;

/** An admin's browser and authenticator app. */
type Desk = { page: Page; secret: string };

test("one admin proposes, another refuses, approves, or lets it expire", async ({ page, browser, request }) => {
  const world = new World(request);
  const later = async (milliseconds: number) => world.clockTo(new Date((await world.now()).getTime() + milliseconds));
  const setUp = async (page: Page, who: typeof ADMIN): Promise<Desk> => {
    await logIn(page, who);
    await openPart(page, "Log-in");
    const factor = page.getByRole("region", { name: "Code at log-in" });
    await factor.getByLabel("Your password", { exact: true }).fill(who.password);
    await factor.getByRole("button", { name: "Set up" }).click();
    const secret = await factor.locator("code").innerText();
    await factor.getByLabel("Code", { exact: true }).fill(codeOf(secret, await world.now()));
    await factor.getByRole("button", { name: "Turn on" }).click();
    await factor.getByRole("button", { name: "I have kept them" }).click();
    return { page, secret };
  };
  const giveCode = async ({ page, secret }: Desk) => {
    const dialog = page.getByRole("dialog", { name: "Enter a code" });
    await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret, await world.now()));
    await dialog.getByRole("button", { name: "Go on" }).click();
    await expect(dialog).toBeHidden();
  };

  // Who was made an admin just now approves nothing for a day.
  await later(25 * HOUR);
  const one = await setUp(page, ADMIN);
  const two = await setUp(await newPhone(browser), SECOND);
  const player = newPerson("akinyi");
  const call = async (path: string, data: object, token?: string) => {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await request.post(path, { data, headers });
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
    return (await answer.json().catch(() => null)) as { accessToken?: string } | null;
  };
  const { terms } = (await (await request.get("/api/settings")).json()) as { terms: string };
  await call("/api/signup", { ...player, over18: true, terms });
  const typed = async (mpesaCode: string) => {
    const token = (await call("/api/login", player))?.accessToken;
    await call("/api/manual-payment", { mpesaCode }, token);
  };
  const wallet = async () => {
    const token = (await call("/api/login", player))?.accessToken ?? "";
    const answer = await request.get("/api/user", { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { wallet: number }).wallet;
  };
  /** The first admin confirms a typed code, which is too much for one. */
  const propose = async (code: string, amount: number) => {
    await openPart(one.page, "Desk");
    await later(6 * 60_000);
    const section = one.page.getByRole("region", { name: "Pending Manual Payments" });
    await section.getByRole("button", { name: /^Refresh/ }).click();
    const row = section.getByRole("listitem").filter({ hasText: code });
    await row.getByRole("button", { name: "Confirm" }).click();
    const dialog = one.page.getByRole("dialog", { name: `Confirm ${code}` });
    await dialog.getByLabel("Amount (KSh)").fill(String(amount));
    await dialog.getByRole("button", { name: "Credit the wallet" }).click();
    await giveCode(one);
    await expect(section.getByText(/^Another admin has to approve this\./)).toBeVisible();
  };
  const approvals = two.page.getByRole("region", { name: "Approvals" });
  const reread = async () => {
    await openPart(two.page, "Desk");
    await openPart(two.page, "Approvals");
    await approvals.getByRole("button", { name: /^Refresh/ }).click();
  };

  await test.step("proposed, and refused", async () => {
    await typed("NLJ7RT61SV");
    await propose("NLJ7RT61SV", 15_000);
    await reread();
    await expect(approvals.getByText("Credit KSh 15,000 for a typed code")).toBeVisible();
    await expectAccessible(two.page, "approvals");
    await approvals.getByRole("button", { name: "Refuse" }).click();
    const dialog = two.page.getByRole("dialog", { name: "Refuse the act" });
    await dialog.getByLabel("Reason").fill("The portal shows another amount.");
    await dialog.getByRole("button", { name: "Refuse" }).click();
    await expect(approvals.getByText(/^Refused by .*: The portal shows another amount\.$/)).toBeVisible();
    expect(await wallet()).toBe(0);
  });

  await test.step("proposed with another amount, and approved with a code", async () => {
    await propose("NLJ7RT61SV", 12_000);
    await openPart(one.page, "Approvals");
    const own = one.page.getByRole("region", { name: "Approvals" }).getByRole("listitem").filter({ hasText: "KSh 12,000" });
    await expect(own.getByRole("button", { name: "Refuse" })).toBeVisible();
    await expect(own.getByRole("button", { name: "Approve" })).toHaveCount(0);
    await reread();
    await approvals.getByRole("button", { name: "Approve" }).click();
    const dialog = two.page.getByRole("dialog", { name: "Approve the act" });
    await dialog.getByLabel("Reason (optional)").fill("Seen in the portal.");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await giveCode(two);
    await expect(approvals.getByText(/Approved, and done: Credit KSh.12,000 for a typed code: /)).toBeVisible();
    expect(await wallet()).toBe(12_000);
  });

  await test.step("proposed, and nobody approves it within three days", async () => {
    await typed("NLJ7RT62SV");
    await propose("NLJ7RT62SV", 20_000);
    await later(73 * HOUR);
    await reread();
    const row = approvals.getByRole("listitem").filter({ hasText: "KSh 20,000" });
    await expect(row.getByText("Expired")).toBeVisible();
    await expect(row.getByRole("button", { name: "Approve" })).toHaveCount(0);
    expect(await wallet()).toBe(12_000);
    expect(await world.ledgerSum()).toBe(0);
  });
});
