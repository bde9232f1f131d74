/** Makes Amplify UI small enough for a phone on prepaid data. Both parts are for the build alone. */
import type { Plugin } from "vite";

/**
 * Amplify's base.css declares the tokens of every component it has. Those that no rule of the
 * built style sheets reads are left out.
 */
export function pruneUnusedTokens(): Plugin {
  return {
    name: "prune-unused-tokens",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const sheets = Object.values(bundle).flatMap((file) =>
        file.type === "asset" && file.fileName.endsWith(".css") ? [file] : [],
      );
      let texts = sheets.map((sheet) => String(sheet.source));
      for (;;) {
        const read = new Set(texts.flatMap((text) => text.match(/(?<=var\(\s*)--amplify-[\w-]+/g) ?? []));
        const pruned = texts.map((text) =>
          text.replace(/(--amplify-components-[\w-]+):[^;{}]*(;|(?=\}))/g, (all, name: string) =>
            read.has(name) ? all : "",
          ),
        );
        if (pruned.every((text, i) => text === texts[i])) break;
        texts = pruned;
      }
      sheets.forEach((sheet, i) => {
        sheet.source = texts[i] ?? sheet.source;
      });
    },
  };
}

/**
 * The same tokens come a second time as JavaScript, for ThemeProvider. We theme by style sheet and
 * have no ThemeProvider, so the components' tokens (8 KB over the wire, and a walk through a
 * thousand of them at every start) are left out of the default theme.
 */
export function leaveOutComponentTokens(): Plugin {
  return {
    name: "leave-out-component-tokens",
    apply: "build",
    load(id) {
      return /@aws-amplify\/ui\/dist\/esm\/theme\/tokens\/components\/index\.mjs/.test(id)
        ? "export const components = {};"
        : null;
    },
  };
}
