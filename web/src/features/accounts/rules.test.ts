import { describe, expect, test } from "vitest";
import { errorOf } from "../../lib/parsed";
import { readFplId } from "../../lib/fpl-id";
import { readEmail, readNewPassword, readUsername } from "./rules";

describe("registration (spec section 5)", () => {
  test("an FPL ID is digits, trimmed", () => {
    expect(readFplId(" 4242 ")).toEqual({ ok: true, value: "4242" });
    for (const typed of ["", "12a", "1 2", "-1"]) {
      expect(errorOf(readFplId(typed))).toBe("FPL ID must be a numeric value.");
    }
  });

  test.each([
    "https://fantasy.premierleague.com/entry/118670/event/3",
    "  fantasy.premierleague.com/entry/118670/event/3 ",
    "https://fantasy.premierleague.com/entry/118670",
    "https://fantasy.premierleague.com/entry/118670/history?page=2#top",
    "/entry/118670/",
  ])("the whole address %j is taken for the id in it", (typed) =>
    expect(readFplId(typed)).toEqual({ ok: true, value: "118670" }),
  );

  test.each(["entry", "/entry/", "/entry/abc", "/entry/12ab/event/3", "my team /entry/118670 is this", "/event/3"])(
    "%j has no id in it",
    (typed) => expect(readFplId(typed).ok).toBe(false),
  );

  test("a password has six characters, trimmed", () => {
    expect(readNewPassword(" secret ")).toEqual({ ok: true, value: "secret" });
    expect(errorOf(readNewPassword("  five5 "))).toBe("Password must be at least 6 characters long.");
  });

  test("an email is one, a username is three to twelve characters that M-Pesa can show", () => {
    expect(readEmail(" a@b.ke ").ok).toBe(true);
    for (const typed of ["", "a", "a@b", "a b@c.ke"]) expect(readEmail(typed).ok).toBe(false);
    expect(readUsername("twelve_chars").ok).toBe(true);
    expect(readUsername("thirteen_char").ok).toBe(false);
    expect(readUsername("K-1.2").ok).toBe(true);
    expect(errorOf(readUsername("ab"))).toBe("Enter a username of 3 to 12 characters.");
    expect(errorOf(readUsername("two words"))).toBe("A username has only letters without accents, digits, '.', '_' and '-'.");
    expect(errorOf(readUsername("Żółw"))).toBe("A username has only letters without accents, digits, '.', '_' and '-'.");
    expect(errorOf(readUsername("12345"))).toBe("A username has at least one letter.");
    expect(errorOf(readUsername(" "))).toBe("Choose a username.");
  });
});
