/**
 * The entry: brings the app and its style sheet, which nothing waits for that the page shows by itself. Small and
 * without imports of the app's, so that the page needs no style sheet before it paints.
 */
import { chosenLanguage, type Language } from "./lib/language";
import { painted } from "./lib/painted";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

/** What is said where no app has come, and no catalog: failed, money, again. */
const WORDS: Record<Language, readonly [string, string, string]> = {
  en: ["FPL Leagues could not be loaded.", "Your money is not touched by this. Check your connection.", "Load again"],
  sw: ["FPL Leagues haikuweza kupakiwa.", "Pesa zako ziko salama. Angalia mtandao wako.", "Pakia tena"],
};

const language = chosenLanguage();
if (language === "sw") {
  document.documentElement.lang = language;
  // What the page shows by itself has both languages in it.
  root.querySelectorAll<HTMLElement>("[data-sw]").forEach((shown) => shown.replaceChildren(shown.dataset.sw ?? ""));
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
  const [failed, money, loadAgain] = WORDS[language];
  const heading = document.createElement("h1");
  heading.className = "starting-line";
  heading.textContent = failed;
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = loadAgain;
  const status = place.querySelector("[role=status]");
  place.querySelector(".starting-line")?.replaceWith(heading);
  status?.replaceChildren(money);
  status?.after(again);
}
