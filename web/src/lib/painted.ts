/**
 * When the first paint of the page itself is on the glass. What it shows would be gone before anybody saw it if the
 * app took its place sooner: then the first thing to see waits for all of the app's code.
 */
const FIRST = "first-contentful-paint";
/** A browser that reports no paint is not waited for longer than this, in ms. */
const LIMIT = 500;

export function painted(): Promise<void> {
  // A page in the background paints nothing until somebody looks at it.
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) return Promise.resolve();
  return new Promise((resolve) => {
    const paints = new PerformanceObserver((seen) => {
      if (seen.getEntriesByName(FIRST).length > 0) finish();
    });
    const limit = setTimeout(finish, LIMIT);
    function finish() {
      clearTimeout(limit);
      paints.disconnect();
      resolve();
    }
    paints.observe({ type: "paint", buffered: true });
  });
}
