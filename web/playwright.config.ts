import { defineConfig } from "@playwright/test";
import { QUICK } from "./e2e/browser";

/** The whole path in a real browser, against a running local stack (BASE_URL). */
export default defineConfig({
  testDir: "e2e",
  // What plays the full safeguards wants a world with them (infra/e2e.sh).
  testMatch: process.env.SAFEGUARDS === "full" ? "*.full.ts" : "*.spec.ts",
  // Of the old browsers `make test-all` takes care.
  testIgnore: process.env.SHORT ? "old-phones.spec.ts" : [],
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    baseURL: process.env.BASE_URL ?? "http://localhost:4000",
    viewport: { width: 360, height: 740 },
    trace: "retain-on-failure",
    ...QUICK,
  },
});
