/** The browsers that play the tests: Chromium as Debian names its programs, or another one that CHROMIUM names. */
import { existsSync } from "node:fs";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** It draws the same and has no window: a page takes it two thirds of the time. Of notifications it knows nothing. */
const WITHOUT_WINDOW = "/usr/bin/chromium-headless-shell";

export const launch = (executablePath: string) => ({ launchOptions: { executablePath, args: ["--no-sandbox"] } });

/** For all that needs no notifications: the one without a window, where it is. */
export const QUICK = launch(process.env.CHROMIUM === undefined && existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : CHROMIUM);
