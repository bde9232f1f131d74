/**
 * The entry: brings the app and its style sheet, which nothing waits for that the page shows by itself. Small and
 * without imports of the app's, so that the page needs no style sheet before it paints.
 */
import { chosenLanguage, type Language } from "./lib/language";
import { painted } from "./lib/painted";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

/** What the page says while there is no app, and no catalog: its English stands in index.html. */
const WORDS: Record<Exclude<Language, "en">, { line: string; loading: string }> & Record<Language, { failed: string; again: string; money: string }> = {
  en: {
    failed: "FPL Leagues could not be loaded.",
    again: "Load again",
    money: "Your money is not touched by this. Check your connection.",
  },
  sw: {
    line: "Ligi za kila wiki za watu kumi. Mwenye pointi nyingi huchukua zawadi.",
    loading: "Inapakia...",
    failed: "FPL Leagues haikuweza kupakiwa.",
    again: "Pakia tena",
    money: "Pesa zako ziko salama. Angalia mtandao wako.",
  },
};

const language = chosenLanguage();
if (language !== "en") {
  const { line, loading } = WORDS[language];
  document.documentElement.lang = language;
  root.querySelector(".starting-line")?.replaceChildren(line);
  root.querySelector("[role=status]")?.replaceChildren(loading);
  // The app asks for it again once it is there, and says what came of it.
  import("./locales/swahili").catch(() => undefined);
}

Promise.all([import("./app/root"), painted()]).then(
  ([app]) => app.mount(root),
  (error: unknown) => {
    console.error(error);
    giveUp(root);
  },
);

/** Without the app there is only what the page brought: it says so, and a link loads it again. */
function giveUp(place: Element) {
  const words = WORDS[language];
  const heading = document.createElement("h1");
  heading.className = "starting-line";
  heading.textContent = words.failed;
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = words.again;
  const status = place.querySelector("[role=status]");
  place.querySelector(".starting-line")?.replaceWith(heading);
  status?.replaceChildren(words.money);
  status?.after(again);
}
