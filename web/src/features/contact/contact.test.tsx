import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { openAt } from "../../testing/app";

describe("the contact page", () => {
  test("/contact: email, SMS and WhatsApp at the addresses that are set (spec section 2)", async () => {
    openAt("/contact");
    const link = async (name: RegExp) => (await screen.findByRole("link", { name })).getAttribute("href");
    expect(await link(/^Email/)).toBe("mailto:help@fplleagues.test");
    expect(await link(/^SMS/)).toBe("sms:+254700000000");
    expect(await link(/^WhatsApp/)).toBe("https://wa.me/254700000000");
  });
});
