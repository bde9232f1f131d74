import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noAnswer, server, url } from "../testing/server";

const OWN = '<div id="root"></div><script type="module" src="/assets/index-old.js"></script>';
const NEWER = OWN.replace("index-old", "index-new");
const HALF_AN_HOUR = 30 * 60_000;

let reload: ReturnType<typeof vi.spyOn>;
let asked: number;
let end: () => void;

/** A tab that runs the build of `OWN`, while the site has `deployed`. */
async function openTab(deployed: () => Response) {
  asked = 0;
  server.use(
    http.get(url("/"), () => {
      asked += 1;
      return deployed() as HttpResponse<null>;
    }),
  );
  // What was found is kept by the module.
  vi.resetModules();
  reload = vi.spyOn(await import("../lib/page"), "reloadPage").mockReturnValue(undefined);
  const { lookForNewVersion } = await import("../lib/new-version");
  const { StatusBars } = await import("./StatusBars");
  end = lookForNewVersion();
  return render(<StatusBars />);
}

const html = (text: string) => () => new HttpResponse(text, { headers: { "content-type": "text/html" } });

const seenAgainAfter = async (ms: number) => {
  vi.setSystemTime(Date.now() + ms);
  await act(async () => {
    document.dispatchEvent(new Event("visibilitychange"));
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const script = document.createElement("script");
  Object.defineProperty(script, "src", { value: url("/assets/index-old.js") });
  document.head.append(script);
});
afterEach(() => {
  end();
  vi.useRealTimers();
  document.head.querySelectorAll("script").forEach((script) => script.remove());
});

test("a tab that is seen again says that there is a new version, and loads it when it is told to", async () => {
  await openTab(html(NEWER));
  await seenAgainAfter(HALF_AN_HOUR - 1_000);
  expect([asked, screen.queryByText("A new version is here.")]).toEqual([0, null]);
  await seenAgainAfter(1_000);
  expect(await screen.findByText("A new version is here.")).toBeInTheDocument();
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Reload" }));
  expect(reload).toHaveBeenCalledOnce();
});

test.each([
  ["the same build", html(OWN)],
  ["another network's page", html("<html>Log in to this Wi-Fi</html>")],
  ["a failure", () => new HttpResponse(NEWER, { status: 503 })],
  ["no answer", noAnswer],
])("nothing is said where there is %s", async (_what, deployed) => {
  await openTab(deployed);
  await seenAgainAfter(HALF_AN_HOUR);
  expect(asked).toBe(1);
  expect(screen.queryByText("A new version is here.")).not.toBeInTheDocument();
});

test("without a network that is what is said", async () => {
  await openTab(html(NEWER));
  await seenAgainAfter(HALF_AN_HOUR);
  await screen.findByText("A new version is here.");
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
  expect(screen.getByText("You are offline.")).toBeInTheDocument();
  expect(screen.queryByText("A new version is here.")).not.toBeInTheDocument();
});

const fileIsGone = () => window.dispatchEvent(new Event("vite:preloadError"));

test("a file that is gone with its build loads the new page, once", async () => {
  await openTab(html(NEWER));
  fileIsGone();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  fileIsGone();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reload).toHaveBeenCalledOnce();
});

test("a file that could not be had of the same build loads nothing anew", async () => {
  await openTab(html(OWN));
  fileIsGone();
  await waitFor(() => expect(asked).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reload).not.toHaveBeenCalled();
});
