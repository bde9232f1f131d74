/** Safari 14.0 knows no `gap` between flex items, only between those of a grid: there they have margins. */
import type { Plugin, Rule } from "postcss";

// What came to Safari with the same version, and can be asked for: of `gap` it would say that it knows it.
const WITHOUT_GAP = "not (inset: 0)";

const valueOf = (rule: Rule, name: string) => {
  let value: string | undefined;
  rule.walkDecls(name, (found) => void (value = found.value));
  return value;
};

/** Ours are all rows. A rule that changes but the gap, in a media query, follows the one that makes it flex. */
export function oldGap(): Plugin {
  return {
    postcssPlugin: "old-gap",
    Once(root, { atRule }) {
      const wraps = new Map<string, boolean>();
      root.walkRules((rule) => {
        // The kit's own (app/base.css).
        if (rule.source?.input.file?.includes("node_modules")) return;
        const display = valueOf(rule, "display");
        if (display?.endsWith("flex")) wraps.set(rule.selector, valueOf(rule, "flex-wrap") === "wrap");
        const gap = valueOf(rule, "gap");
        const isWrapped = wraps.get(rule.selector);
        if (gap === undefined || isWrapped === undefined || display === "grid") return;
        const [lines = "0", between = lines] = gap.split(" ");
        const each = (what: string) => rule.selectors.map((one) => `${one} > ${what}`).join();
        const margins = [`${each(":not(:last-child)")} { margin-inline-end: ${between} }`];
        if (isWrapped && lines !== "0") margins.push(`${each("*")} { margin-block: calc(${lines} / 2) }`);
        rule.after(atRule({ name: "supports", params: WITHOUT_GAP }).append(margins.join(" ")));
      });
    },
  };
}
