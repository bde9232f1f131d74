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
 * The same tokens come a second time as JavaScript, for ThemeProvider and style properties. We theme by
 * style sheet and have neither, so the theme is left empty but for its breakpoints: 6 KB less over the
 * wire, and no walk through a thousand tokens at every start.
 */
export function leaveOutTheme(): Plugin {
  const STAND_INS: [RegExp, string][] = [
    [/@aws-amplify\/ui\/dist\/esm\/theme\/tokens\/index\.mjs/, "export const tokens = {}, reactNativeTokens = {};"],
    [
      /@aws-amplify\/ui\/dist\/esm\/theme\/createTheme\/createTheme\.mjs/,
      `import { defaultTheme } from "../defaultTheme.mjs";
       const theme = { ...defaultTheme, cssText: "", containerProps: () => ({}), overrides: [] };
       export const createTheme = () => theme;`,
    ],
    // Names tokens' variables, of which there are none.
    [/\/lodash\/kebabCase\.js/, "export default (name) => name;"],
  ];
  return {
    name: "leave-out-theme",
    apply: "build",
    enforce: "pre",
    load: (id) => STAND_INS.find(([file]) => file.test(id))?.[1] ?? null,
  };
}
