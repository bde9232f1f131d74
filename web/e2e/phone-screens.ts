/** What is said at the bottom of every screen: that the app can be put on the phone, that there is no network, that there is a new version. */
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

/** The site has another build since, and the tab is seen again after half an hour. */
const bringNewVersion = async (page: Page) => {
  const newer = '<div id="root"></div><script type="module" src="/assets/index-0.js"></script>';
  await page.locator("form").waitFor();
  await page.route("/", (route) => route.fulfill({ contentType: "text/html", body: newer }));
  await page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 31 * 60_000;
    document.dispatchEvent(new Event("visibilitychange"));
  });
};

export const OF_THE_PHONE: Screen[] = [
  { name: "install", path: "/payment", as: "player", phone: "Android", act: offerInstall, shows: "Put FPL Leagues on your phone" },
  { name: "install-by-hand", path: "/login", phone: "iPhone", shows: /tap Share, then Add to Home Screen\.$/ },
  { name: "offline", path: "/payment", as: "player", act: goOffline, shows: /^You are offline\./ },
  { name: "new-version", path: "/login", act: bringNewVersion, shows: "A new version is here." },
];
