import { defineConfig } from "@playwright/test";
import { QUICK } from "./e2e/browser";

/**
 * Every screen of the built app over answers of our own, at both sizes, the player's in Kiswahili too, each light and dark: axe, which must
 * find nothing, the content policy, and pictures to look at where SHOTS names a folder. Needs no running stack.
 */
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };
const PORT = Number(process.env.SCREENS_PORT ?? 4173);

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.screens.ts",
  // Of its own: each run begins by emptying its folder, and the browser flows run at the same time.
  outputDir: "screens-results",
  // A screen waits for a part of its time, and the browser flows run beside them.
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  reporter: "list",
  use: {
    // The answers are put in by the tests: no worker stands between.
    serviceWorkers: "block",
    baseURL: `http://localhost:${PORT}`,
    ...QUICK,
  },
  webServer: { command: `vite preview --port ${PORT} --strictPort`, port: PORT, reuseExistingServer: true },
  projects: [
    { name: "phone", use: { viewport: SIZES.phone }, testIgnore: "room.screens.ts" },
    { name: "desktop", use: { viewport: SIZES.desktop }, testIgnore: "room.screens.ts" },
    // What looks for room has sizes of its own.
    { name: "room", use: { viewport: SIZES.phone }, testMatch: "room.screens.ts" },
    { name: "room-kiswahili", use: { viewport: SIZES.phone, locale: "sw-KE" }, testMatch: "room.screens.ts" },
    { name: "kiswahili", use: { viewport: SIZES.phone, locale: "sw-KE" }, testMatch: "all.screens.ts" },
  ],
});
