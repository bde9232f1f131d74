/** What a person does, in the words of the screen. */
import { expect, type Browser, type Page } from "@playwright/test";

export type Person = { email: string; username: string; password: string; fplId: string; phone: string };

/** The operator, as the stack under test has it. */
export const ADMIN = {
  email: process.env.ADMIN_EMAIL ?? "admin@fplleagues.test",
  password: process.env.ADMIN_PASSWORD ?? "",
};

/** Another person's browser. */
export const newPhone = async (browser: Browser) => (await browser.newContext()).newPage();

let people = 0;

/** Somebody new: nothing of theirs has been used before, in this run or an earlier one. */
export function newPerson(name: string): Person {
  people += 1;
  const id = String((Date.now() + people) % 100_000_000).padStart(8, "0");
  return {
    email: `${name}${id}@example.com`,
    username: `${name.slice(0, 4)}${id}`,
    password: "correct horse",
    fplId: `1${id}`,
    phone: `07${id}`,
  };
}

export async function register(page: Page, who: Person, address = "/register") {
  await page.goto(address);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Username").fill(who.username);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByLabel("FPL ID").fill(who.fplId);
  await page.getByLabel("I am 18 or older.").check();
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page).toHaveURL(/\/login$/);
}

export async function logIn(page: Page, who: Pick<Person, "email" | "password">) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/\/(payment|panel)$/);
}

export const balance = (page: Page) => page.getByRole("region", { name: "Wallet" });

export async function askForDeposit(page: Page, phone: string, amount: number | string) {
  await page.getByRole("button", { name: "Profile" }).click();
  await page.getByRole("button", { name: "Top Up Wallet" }).click();
  const dialog = page.getByRole("dialog", { name: "Deposit to Wallet" });
  await dialog.getByLabel("Phone number").fill(phone);
  await dialog.getByLabel("Amount (KSh)").fill(String(amount));
  await dialog.getByRole("button", { name: "Deposit" }).click();
}

export async function joinFromWallet(page: Page, amount: number) {
  await page.getByRole("button", { name: "Checkout from Wallet" }).click();
  await page.getByRole("button", { name: `Join for ${amount}` }).click();
}

export async function askToPay(page: Page, phone: string, amount: number) {
  await page.getByRole("button", { name: `KSh ${amount}`, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Pay KSh ${amount}` });
  await dialog.getByLabel("Phone number").fill(phone);
  await dialog.getByRole("button", { name: "Pay Now" }).click();
}

export async function withdraw(page: Page, phone: string, amount: number) {
  await page.getByRole("button", { name: "Profile" }).click();
  await page.getByRole("button", { name: "Withdraw" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw Funds" });
  await dialog.getByLabel("M-Pesa number").fill(phone);
  await dialog.getByLabel("Amount (KSh)").fill(String(amount));
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expect(dialog.getByText("Withdrawal request submitted successfully!")).toBeVisible();
}

/** The address of a new influencer's link, made at the admin's desk. */
export async function referralLink(desk: Page, name: string) {
  const section = desk.getByRole("region", { name: "Influencer Links" });
  await section.getByLabel("Name").fill(name);
  await section.getByRole("button", { name: "Create link" }).click();
  const link = await section.getByRole("status").locator("b").innerText();
  expect(link).toMatch(/\/ref\/[a-z0-9]+$/);
  return new URL(link).pathname;
}

/** Opens a part of the panel by its name. */
export const openPart = (desk: Page, name: string) =>
  desk.getByRole("navigation", { name: "Parts of the panel" }).getByRole("link", { name }).click();
