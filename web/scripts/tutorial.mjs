// Makes public/tutorial.mp4 from the pictures of /get-fpl-id, with what to do written under each, its captions
// (tutorial.vtt) and the still that stands for it (tutorial.png). They are committed: who builds the pages needs
// no ffmpeg. Needs dist/, Debian's Chromium and ffmpeg.
import { chromium } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preview } from "vite";

const OUT = "public/tutorial.mp4";
const CAPTIONS = "public/tutorial.vtt";
const STILL = "public/tutorial.png";
const MOST_BYTES = 400 * 1024;
const SIZE = { width: 720, height: 720 };
const SECONDS = 5;
const FADE_SECONDS = 0.5;

const server = await preview({ preview: { port: 4174, strictPort: true } });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const folder = mkdtempSync(join(tmpdir(), "tutorial-"));
try {
  const slides = await readSlides();
  const frames = await drawFrames(slides);
  writeFileSync(CAPTIONS, captions(slides));
  copyFileSync(frames[0], STILL);
  encode(frames);
  const bytes = statSync(OUT).size;
  console.log(`${OUT}: ${(bytes / 1024).toFixed(0)} KB, ${slides.length * SECONDS} s`);
  if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES / 1024} KB`);
} finally {
  rmSync(folder, { recursive: true });
  await browser.close();
  await server.close();
}

/** The page's pictures and captions, and what comes before and after them. */
async function readSlides() {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
  await page.goto("http://localhost:4174/get-fpl-id");
  await page.getByRole("figure").first().waitFor();
  const steps = [];
  for (const figure of await page.getByRole("figure").all()) {
    const picture = (await figure.locator("svg").screenshot()).toString("base64");
    steps.push({ picture, text: (await figure.locator("figcaption").innerText()).trim() });
  }
  const numbered = steps.map((step, i) => ({ ...step, text: `${i + 1}. ${step.text}` }));
  return [...numbered, { ...steps.at(-1), text: "Type that number into the FPL ID field when you register." }];
}

async function drawFrames(slides) {
  const page = await browser.newPage({ viewport: SIZE });
  const files = [];
  for (const { picture, text } of slides) {
    await page.setContent(`<!doctype html><style>
      body { margin: 0; display: grid; grid-template-rows: auto 1fr; gap: 36px; height: 100vh; box-sizing: border-box;
        padding: 48px 40px; background: #0a4d32; color: #fff; font: 700 36px/1.35 system-ui, sans-serif; }
      img { width: 100%; border-radius: 20px; }
    </style><img src="data:image/png;base64,${picture}"><p style="margin:0"></p>`);
    await page.locator("p").evaluate((p, words) => (p.textContent = words), text);
    const file = join(folder, `${files.length}.png`);
    await page.screenshot({ path: file });
    files.push(file);
  }
  return files;
}

/** The same words once more as a track (WebVTT), for the player of the page and for who reads by ear. */
function captions(slides) {
  const at = (second) => new Date(second * 1000).toISOString().slice(11, 23);
  const cues = slides.map(({ text }, i) => `${at(i * SECONDS)} --> ${at((i + 1) * SECONDS)}\n${text}\n`);
  return ["WEBVTT\n", ...cues].join("\n");
}

function encode(frames) {
  const inputs = frames.flatMap((file) => ["-loop", "1", "-t", String(SECONDS + FADE_SECONDS), "-i", file]);
  const fades = frames.slice(1).map((_, i) => {
    const from = i === 0 ? "0:v" : `v${i}`;
    return `[${from}][${i + 1}:v]xfade=duration=${FADE_SECONDS}:offset=${(i + 1) * SECONDS}[v${i + 1}]`;
  });
  const args = [
    ...["-y", "-loglevel", "error", ...inputs, "-i", CAPTIONS],
    ...["-filter_complex", fades.join(";"), "-map", `[v${frames.length - 1}]`, "-map", `${frames.length}:s`],
    ...["-c:v", "libx264", "-preset", "veryslow", "-crf", "28", "-r", "12", "-pix_fmt", "yuv420p"],
    ...["-c:s", "mov_text", "-metadata:s:s:0", "language=eng", "-disposition:s:0", "0"],
    ...["-t", String(frames.length * SECONDS), "-map_metadata", "-1", "-fflags", "+bitexact", "-movflags", "+faststart", OUT],
  ];
  execFileSync(process.env.FFMPEG ?? "ffmpeg", args, { stdio: "inherit" });
}
