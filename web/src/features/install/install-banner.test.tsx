import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clearEverything } from "../../lib/session";

const ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1";
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

let leave: () => void = () => undefined;

/** The app as a new visit finds it: what was caught before is a page ago. */
async function visit(userAgent: string, installed = false) {
  vi.resetModules();
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: installed }));
  const { listenForInstall } = await import("../../lib/install");
  const { StatusBars } = await import("../../app/StatusBars");
  const { MemoryRouter } = await import("react-router");
  leave = listenForInstall();
  return render(<StatusBars />, { wrapper: MemoryRouter });
}

/** What the browser does when it would install the app. */
function offerInstall() {
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
    prompt: vi.fn(() => Promise.resolve()),
  });
  act(() => void window.dispatchEvent(event));
  return event;
}

const banner = () => screen.findByRole("complementary", { name: "Install" });

beforeEach(() => void (document.cookie = "install=; Max-Age=0; Path=/"));
afterEach(() => leave());

describe("the install banner (spec sections 1 and 4)", () => {
  test("appears when the browser offers it on Android, and has the browser ask", async () => {
    await visit(ANDROID);
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
    const event = offerInstall();
    expect(event.defaultPrevented).toBe(true);
    await banner();
    await userEvent.click(screen.getByRole("button", { name: "Install" }));
    expect(event.prompt).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
  });

  test("on an iPhone it says how", async () => {
    await visit(IPHONE);
    expect(await banner()).toHaveTextContent("Add to Home Screen");
  });

  test("dismissed, it stays dismissed, whoever logs out", async () => {
    const { unmount } = await visit(ANDROID);
    offerInstall();
    await banner();
    await userEvent.click(screen.getByRole("button", { name: "Not now" }));
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
    clearEverything();
    unmount();
    leave();
    await visit(ANDROID);
    offerInstall();
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
  });

  test.each([
    ["a desktop", DESKTOP, false],
    ["an installed app", ANDROID, true],
  ])("%s is not asked", async (_what, userAgent, installed) => {
    await visit(userAgent, installed);
    expect(offerInstall().defaultPrevented).toBe(false);
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
  });
});
