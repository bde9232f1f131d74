import { expect, test } from "vitest";
import { eastAfricaTime, timeLeft } from "./time";

test("times are East Africa Time with the day", () => {
  expect(eastAfricaTime(new Date("2026-08-22T10:30:00Z"))).toBe("Sat 22 Aug, 13:30");
  expect(eastAfricaTime(new Date("2026-08-22T21:05:00Z"))).toBe("Sun 23 Aug, 00:05");
});

test.each([
  [2 * 86_400_000 + 4 * 3_600_000, "2 d 4 h"],
  [3 * 3_600_000 + 12 * 60_000, "3 h 12 min"],
  [249_000, "4:09"],
  [400, "0:01"],
  [-1, "0:00"],
])("%d ms left reads %s", (ms, text) => expect(timeLeft(ms)).toBe(text));
