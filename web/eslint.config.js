import js from "@eslint/js";
import compat from "eslint-plugin-compat";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

/**
 * The one direction of imports: app → features → panel → components, api → lib. Features know only themselves; what
 * the panel's screens in several of them share is in src/panel, which they may import.
 */
const forbid = (files, regex, message) => ({
  files,
  ignores: ["**/*.test.{ts,tsx}"],
  rules: { "no-restricted-imports": ["error", { patterns: [{ regex, message }] }] },
});

const OTHERS = "/(app|features)/";
const ALONE = "a feature knows neither another feature nor the app";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts", "src/locales/sw.ts", "test-results", "screens-results", "playwright-report", "shots"] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  reactHooks.configs.flat.recommended,
  jsxA11y.flatConfigs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: {
        projectService: { allowDefaultProject: ["eslint.config.js", "scripts/*.mjs"] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: "error",
      "no-console": ["error", { allow: ["error"] }],
      "max-lines": ["error", { max: 350, skipBlankLines: true }],
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/no-confusing-void-expression": "off",
    },
  },
  // What the oldest browsers lack (.browserslistrc): of the language's library the compiler knows as well (src/tsconfig.json).
  {
    files: ["src/**"],
    ignores: ["src/testing/**", "**/*.test.{ts,tsx}"],
    ...compat.configs["flat/recommended"],
    settings: { lintAllEsApis: true },
    rules: {
      ...compat.configs["flat/recommended"].rules,
      "no-restricted-properties": ["error", ...["timeout", "any"].map((property) => ({ object: "AbortSignal", property, message: "Too young: lib/within.ts" }))],
    },
  },
  forbid(["src/features/*/*"], `^\\.\\./(?!\\.\\.)|${OTHERS}`, ALONE),
  forbid(["src/features/*/*/*"], `^(\\.\\./){2}(?!\\.\\.)|${OTHERS}`, ALONE),
  forbid(["src/panel/**"], "/(features|app)/", "what the panel's screens share knows none of them"),
  forbid(["src/components/**"], "/(features|panel|app|api)/", "components are shared and know no feature and no call"),
  forbid(["src/lib/**"], "/(features|panel|app|api|components)/", "lib knows nobody"),
  forbid(["src/api/**"], "/(features|panel|app|components)/", "api knows only lib"),
  {
    files: ["**/*.test.{ts,tsx}", "e2e/**", "src/testing/**"],
    rules: { "max-lines-per-function": "off", "no-console": "off" },
  },
  { files: ["**/*.mjs", "eslint.config.js"], ...tseslint.configs.disableTypeChecked },
  { files: ["scripts/**"], rules: { "no-console": "off" } },
);
