// What a first visit to the login page costs over the wire (brotli): index.html and everything it
// and its entry script load before they are asked to, and what comes under the form after it. Fails above the budget.
// The main page's own share is what its lazy chunks add; the leagues' is what comes with them after the main page, without
// the pitch, which comes when a team is opened.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const KB = 1024;
const BUDGET = { total: 110 * KB, js: 91 * KB, payment: 40 * KB, leagues: 30 * KB };
const dist = process.argv[2] ?? "dist";

const wire = (name) => {
  const file = join(dist, name);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
};
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/** The files that loading `key` brings with it: its chunk, static imports and style sheets. */
function filesOf(key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const chunk = manifest[key];
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((k) => filesOf(k, seen))];
}
const page = (name) => {
  const key = Object.keys(manifest).find((k) => manifest[k].name === name);
  if (!key) throw new Error(`${name} is not in the build`);
  return filesOf(key);
};

const sum = (files) => files.reduce((bytes, file) => bytes + wire(file), 0);
const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;

const login = [...new Set([...filesOf("src/early.ts"), ...filesOf("index.html"), ...page("app")])];
const payment = [...new Set(page("main"))].filter((file) => !login.includes(file));
const leagues = [...new Set(page("LeaguesPage"))].filter((file) => !login.includes(file) && !payment.includes(file));
const js = sum(login.filter((file) => file.endsWith(".js")));
const css = sum(login.filter((file) => file.endsWith(".css")));
const form = js + css + wire("index.html");
const under = page("Welcome").filter((file) => !login.includes(file));
const total = form + sum([...new Set(under)]);

console.log(`login    ${kb(total)} of ${kb(BUDGET.total)} (the form ${kb(form)}: js ${kb(js)} of ${kb(BUDGET.js)}, css ${kb(css)})`);
console.log(`/payment ${kb(sum(payment))} more, of ${kb(BUDGET.payment)}`);
const pitch = [...new Set(page("MemberTeam"))].filter((file) => ![...login, ...payment, ...leagues].includes(file));
console.log(`the pitch ${kb(sum(pitch))} more than /leagues`);
console.log(`/leagues ${kb(sum(leagues))} more than /payment, of ${kb(BUDGET.leagues)}`);
for (const name of ["RegisterPage", "LeaguesPage", "PanelPage"]) {
  const more = [...new Set(page(name))].filter((file) => !login.includes(file));
  console.log(`${name.padEnd(8)} ${kb(sum(more))} more than login`);
}
if (total > BUDGET.total || js > BUDGET.js || sum(payment) > BUDGET.payment || sum(leagues) > BUDGET.leagues) {
  console.error("over budget");
  process.exit(1);
}
