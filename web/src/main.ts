/**
 * The entry: brings the app and its style sheet, which nothing waits for that the page shows by itself. Small and
 * without imports of the app's, so that the page needs no style sheet before it paints.
 */
import { painted } from "./lib/painted";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

Promise.all([import("./app/root"), painted()]).then(
  ([app]) => app.mount(root),
  (error: unknown) => {
    console.error(error);
    giveUp(root);
  },
);

/** Without the app there is only what the page brought: it says so, and a link loads it again. */
function giveUp(place: Element) {
  const heading = document.createElement("h1");
  heading.className = "starting-line";
  heading.textContent = "FPL Leagues could not be loaded.";
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = "Load again";
  const status = place.querySelector("[role=status]");
  place.querySelector(".starting-line")?.replaceWith(heading);
  status?.replaceChildren("Your money is not touched by this. Check your connection.");
  status?.after(again);
}
