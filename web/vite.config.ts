import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { leaveOutTheme, pruneUnusedTokens } from "./scripts/amplify.ts";
import { oldGap } from "./scripts/old-gap.ts";
import { keepFiles } from "./scripts/service-worker.ts";
import { sharedFiles } from "./scripts/shared-files.ts";

// What the API answers; everything else is the web app's.
const API_PATHS = ["/api", "/logout", "/refresh", "/current-gameweek", "/hooks", "/sim", "/healthz"];

// The policy of the deployed site: what the built app does has to fit in it.
const [, CONTENT_POLICY = ""] = /ContentSecurityPolicy: "(.+)"/.exec(readFileSync("../template.yaml", "utf8")) ?? [];
if (!CONTENT_POLICY) throw new Error("template.yaml has no ContentSecurityPolicy");

export default defineConfig({
  plugins: [react(), leaveOutTheme(), pruneUnusedTokens(), keepFiles()],
  css: { postcss: { plugins: [oldGap()] } },
  server: {
    proxy: Object.fromEntries(API_PATHS.map((path) => [path, "http://localhost:4000"])),
  },
  preview: { headers: { "content-security-policy": CONTENT_POLICY } },
  build: {
    // The oldest of .browserslistrc.
    target: ["chrome87", "safari14", "ios14"],
    manifest: true,
    // What the packages in the bundle ask for: their terms go where their code goes.
    license: { fileName: "licenses.txt" },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: "index.html", early: "src/early.ts", "service-worker": "src/worker/service-worker.ts" },
      output: {
        codeSplitting: { groups: sharedFiles },
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://localhost:4000/" } },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    restoreMocks: true,
    // Set up once for each time that the app is loaded: it goes with the app's modules where a test loads these anew.
    server: { deps: { inline: ["@lit/localize"] } },
    // The page's modules are loaded once for all files and not once a file: a third of the time. Setup and each file leave nothing behind.
    isolate: false,
    maxWorkers: 2,
    // A file's first test loads its page: on a busy machine that takes its time.
    testTimeout: 40_000,
  },
});
