// Draws public/icons/*.png from public/icon.svg in Debian's Chromium.
import { chromium } from "@playwright/test";
import { mkdirSync, readFileSync } from "node:fs";

/** `fill`: the mark on a ground of its own colour to the edges, which a phone cuts to its own shape. */
const ICONS = [
  { name: "192", size: 192 },
  { name: "512", size: 512 },
  { name: "maskable-512", size: 512, fill: 0.8 },
  { name: "apple-touch", size: 180, fill: 1 },
];
const svg = readFileSync("public/icon.svg", "utf8");
mkdirSync("public/icons", { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage();
for (const { name, size, fill } of ICONS) {
  const drawn = Math.round(size * (fill ?? 1));
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; height: 100vh; display: grid; place-items: center; background: ${fill ? "#0a4d32" : "transparent"} }
    svg { width: ${drawn}px; height: ${drawn}px }
  </style>${svg}`);
  await page.screenshot({ path: `public/icons/${name}.png`, omitBackground: !fill });
}
await browser.close();
