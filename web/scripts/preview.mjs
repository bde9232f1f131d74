// Draws public/preview.png, which is shown where a link is shared, in Debian's Chromium.
import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";

const SIZE = { width: 1200, height: 630 };
const mark = readFileSync("public/icon.svg", "utf8").replace('fill="#0a4d32"', 'fill="#0f6843"');
const SHIRT = "M-14 0c4 9 24 9 28 0l17 6 16 25-16 11-7-9v56h-48v-56l-7 9-16-11 16-25z";
const shirts = Array.from({ length: 10 }, (_, i) => {
  return `<path transform="translate(${47 + 106.5 * i} 2)" d="${SHIRT}" fill="${i === 6 ? "#f6b545" : "#2f8f66"}" />`;
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: SIZE });
await page.setContent(`<!doctype html><style>
  body { margin: 0; box-sizing: border-box; width: ${SIZE.width}px; height: ${SIZE.height}px; padding: 64px 72px;
    display: grid; align-content: space-between; background: #0a4d32; color: #fff; font-family: "DejaVu Sans", sans-serif }
  header { display: flex; align-items: center; gap: 20px; font-size: 34px }
  header svg { width: 64px; height: 64px }
  h1 { margin: 0; font-size: 62px; letter-spacing: -2px; white-space: nowrap }
  p { margin: 0; font-size: 33px; color: #cfe6d9 }
  .shirts { display: block; width: 1056px; height: 94px }
  section { display: flex; align-items: center; justify-content: space-between }
  b { display: block; padding: 18px 28px; border-radius: 20px; background: #f6b545; color: #241600; font-size: 33px }
</style>
<header>${mark}<span>FPL <strong>Leagues</strong></span></header>
<h1>Weekly fantasy leagues of ten</h1>
<svg class="shirts" viewBox="0 0 1056 94">${shirts.join("")}</svg>
<section><p>The top score takes the prize.</p><b>KSh 50, 100 or 250</b></section>`);
await page.screenshot({ path: "public/preview.png" });
await browser.close();
