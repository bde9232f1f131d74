import { screen } from "@testing-library/react";
import { describe, expect, onTestFinished, test } from "vitest";
import { settings } from "../../lib/settings";
import { logInAs, openAt } from "../../testing/app";

describe("finding the team's number", () => {
  test.each(["/get-fpl-id", "/tutorial"])("%s leads back to where the number is asked for", async (address) => {
    const { unmount } = openAt(address);
    expect(await screen.findByRole("link", { name: "Back to registration" })).toHaveAttribute("href", "/register");
    unmount();
    logInAs("player");
    openAt(address);
    expect(await screen.findByRole("link", { name: "Back to the main page" })).toHaveAttribute("href", "/payment");
    expect(screen.queryByRole("link", { name: "Back to registration" })).not.toBeInTheDocument();
  });

  test("/get-fpl-id: three steps with pictures, and the video in a new tab (spec section 2)", async () => {
    openAt("/get-fpl-id");
    const steps = await screen.findAllByRole("figure");
    expect(steps.map((step) => step.textContent)).toEqual([
      expect.stringContaining("Log in on the fantasy site in a browser, not the app."),
      expect.stringContaining("Open the Points tab."),
      expect.stringContaining("Read the number after /entry/ in the address bar."),
    ]);
    for (const step of steps) expect(step.querySelector("svg")).not.toBeNull();
    const video = screen.getByRole("link", { name: "Watch the video" });
    expect(video).toHaveAttribute("href", "/tutorial");
    expect(video).toHaveAttribute("target", "_blank");
    // What was typed and the referral code are in the tab's own storage: the new one has a copy of it.
    expect(video).toHaveAttribute("rel", "opener");
  });

  test("a video of elsewhere is told nothing of the tab that it was opened from", async () => {
    const ours = settings.tutorialUrl;
    onTestFinished(() => void Reflect.set(settings, "tutorialUrl", ours));
    Reflect.set(settings, "tutorialUrl", "https://video.test/fpl-id");
    openAt("/get-fpl-id");
    const video = await screen.findByRole("link", { name: "Watch the video" });
    expect(video).toHaveAttribute("href", "https://video.test/fpl-id");
    expect(video).toHaveAttribute("rel", "noreferrer");
  });

  test("/tutorial: the video with its captions; nothing of it is loaded before it is started", async () => {
    openAt("/tutorial");
    await screen.findByRole("heading", { name: "Find your FPL ID" });
    const video = document.querySelector("video");
    expect(video).toHaveAttribute("preload", "none");
    expect(video?.querySelector("source")).toHaveAttribute("src", "/tutorial.mp4");
    expect(video?.querySelector("track")).toHaveAttribute("src", "/tutorial.vtt");
  });
});
