/**
 * Takes from a page what an older browser had not got: its objects and their members, by MDN's table of which version
 * brought what. Neither its syntax nor its styles: for these the build has its target (`vite.config.ts`).
 */
import compat, { type CompatStatement, type Identifier } from "@mdn/browser-compat-data" with { type: "json" };
import type { BrowserContext } from "@playwright/test";

/** The oldest that the app is built for (`.browserslistrc`), as phones have them. */
export const OLD_BROWSERS = {
  "Chrome 87": { name: "chrome_android", version: 87 },
  "Safari 14": { name: "safari_ios", version: 14 },
} as const;
export type OldBrowser = (typeof OLD_BROWSERS)[keyof typeof OLD_BROWSERS];

/** What Playwright itself asks of a page. */
const SPARED = new Set(["BigInt64Array", "BigUint64Array"]);

function hasIt({ name, version }: OldBrowser, { support }: CompatStatement): boolean {
  const known = support[name];
  if (!known) return true;
  return (Array.isArray(known) ? known : [known]).some(({ version_added: added, version_removed: removed, flags, prefix, alternative_name }) => {
    const isOther = Boolean(flags ?? prefix ?? alternative_name);
    const from = added === false || added === "preview" ? Infinity : parseFloat(String(added).replace("≤", ""));
    const until = typeof removed === "string" && removed !== "preview" ? parseFloat(removed.replace("≤", "")) : Infinity;
    // A version that the table does not know counts as all of them.
    return !isOther && !(from > version) && version < until;
  });
}

/** `AbortSignal.timeout`, `Array.prototype.at` and the like; a whole object by its name alone. */
function lacks(browser: OldBrowser): string[] {
  const found: string[] = [];
  const look = (group: Record<string, Identifier>, staticsAreMarked: boolean, within = "") => {
    for (const [object, { __compat: whole, ...members }] of Object.entries(group)) {
      for (const [member, { __compat: one }] of Object.entries(members)) {
        if (!one || member === object || hasIt(browser, one)) continue;
        const name = member.replace(/_static$/, "");
        if (!staticsAreMarked || member !== name) found.push(`${within}${object}.${name}`);
        if (member === name) found.push(`${within}${object}.prototype.${name}`);
      }
      // After its members, which are reached by its name: the elements of the page have them still.
      if (whole && !hasIt(browser, whole) && !SPARED.has(object)) found.push(within + object);
    }
  };
  const { Intl: intl, ...builtins } = compat.javascript.builtins as Record<string, Identifier>;
  look(builtins, false);
  look((({ __compat, ...objects }) => objects)(intl as Identifier), false, "Intl.");
  look(compat.api, true);
  return found;
}

/** Every page of this context is an old browser's from now on. */
export async function makeOld(context: BrowserContext, browser: OldBrowser) {
  await context.addInitScript((names) => {
    for (const name of names) {
      const path = name.split(".");
      const key = path.pop() ?? "";
      let place: unknown = globalThis;
      for (const part of path) place = (place as Record<string, unknown> | undefined)?.[part];
      if (place !== undefined && place !== null) Reflect.deleteProperty(place, key);
      // A window's members are its own or its prototype's; typed arrays have their parent's.
      if (path[0] === "Window") Reflect.deleteProperty(globalThis, key);
      if (path[0] === "TypedArray" && path[1] === "prototype") Reflect.deleteProperty(Object.getPrototypeOf(Uint8Array.prototype) as object, key);
    }
  }, lacks(browser));
}
