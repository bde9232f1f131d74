import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { logInAs } from "../../../testing/app";
import { part, taking } from "../../../testing/panel";
import { json, server, url } from "../../../testing/server";

beforeEach(() => logInAs("admin"));

describe("influencer links (spec sections 2, 5 and 8)", () => {
  const LINK = "https://fplleagues.example/ref/7kq2m9x4ab";

  async function create(name: string) {
    server.use(http.get(url("/api/influencers"), () => json([])));
    const section = await part("Influencer Links");
    if (name) await userEvent.type(section.getByLabelText("Name"), name);
    await userEvent.click(section.getByRole("button", { name: "Create link" }));
    return section;
  }

  test("takes a name and shows the referral link", async () => {
    const sent = taking("post", "/api/influencer/create", () =>
      json({ code: "7kq2m9x4ab", name: "Mwalimu FPL", referralLink: LINK }, { status: 201 }),
    );
    const section = await create("  Mwalimu FPL ");
    expect(await section.findByText(LINK)).toBeInTheDocument();
    expect(sent).toEqual([{ name: "Mwalimu FPL" }]);
    expect(section.getByLabelText("Name")).toHaveValue("");
  });

  test("an empty name: 'Please enter a name.'", async () => {
    const section = await create("   ");
    expect(section.getByLabelText("Name")).toHaveAccessibleDescription("Please enter a name.");
  });

  test.each([
    [() => json({ error: "The name is taken." }, { status: 409 }), "The name is taken."],
    [() => json({}, { status: 500 }), "Failed to create influencer."],
    [() => Response.error(), "Failed to create influencer."],
  ])("a refusal (%#)", async (answer, text) => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", "/api/influencer/create", answer);
    const section = await create("Mwalimu");
    expect(await section.findByRole("alert")).toHaveTextContent(text);
    expect(section.getByLabelText("Name")).toHaveValue("Mwalimu");
  });

  test("one that was made though no answer came is in the list", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const made: object[] = [];
    taking("post", "/api/influencer/create", () => {
      made.push({ code: "7kq2m9x4ab", name: "Mwalimu", referralLink: LINK, visits: 0, signUps: 0, payingPlayers: 0, createdAt: "2026-08-20T09:00:00Z" });
      return Response.error();
    });
    server.use(http.get(url("/api/influencers"), () => json(made)));
    const section = await part("Influencer Links");
    await section.findByText("No influencers yet.");
    await userEvent.type(section.getByLabelText("Name"), "Mwalimu");
    await userEvent.click(section.getByRole("button", { name: "Create link" }));
    expect(await section.findByText(LINK)).toBeInTheDocument();
  });

  test("each with what came of the link", async () => {
    const item = { code: "7kq2m9x4ab", name: "Mwalimu FPL", referralLink: LINK, visits: 312, signUps: 40, payingPlayers: 18 };
    const other = { ...item, code: "8kq2m9x4ab", visits: 1, signUps: 1, payingPlayers: 1 };
    const createdAt = "2026-08-20T09:00:00Z";
    server.use(http.get(url("/api/influencers"), () => json([{ ...item, createdAt }, { ...other, createdAt }])));
    const section = await part("Influencer Links");
    expect(await section.findByText("312 visits · 40 sign-ups · 18 paying players")).toBeInTheDocument();
    expect(section.getByText("1 visit · 1 sign-up · 1 paying player")).toBeInTheDocument();
  });
});
