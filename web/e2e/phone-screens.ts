/** What the phone has a part in: putting the app on it, and being without a network. */
import type { Page } from "@playwright/test";
import type { Screen } from "./owner-screens";

/** What Chrome does on a phone when the app could be installed. */
const offerInstall = async (page: Page) => {
  await page.getByText(/Hello|Habari,/).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
};

const goOffline = async (page: Page) => {
  await page.getByText("KSh 2,250", { exact: true }).waitFor();
  await page.context().setOffline(true);
};

export const OF_THE_PHONE: Screen[] = [
  { name: "install", path: "/payment", as: "player", phone: "Android", act: offerInstall, shows: "Put FPL Leagues on your phone" },
  { name: "install-by-hand", path: "/login", phone: "iPhone", shows: /tap Share, then Add to Home Screen\.$/ },
  { name: "offline", path: "/payment", as: "player", act: goOffline, shows: /^You are offline\./ },
];
