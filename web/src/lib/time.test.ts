import { expect, test } from "vitest";
import { dayName, eastAfricaTime, timeLeft } from "./time";

test("times are East Africa Time with the day", () => {
  expect(eastAfricaTime(new Date("2026-08-22T10:30:00Z"))).toBe("Sat 22 Aug, 13:30");
  expect(eastAfricaTime(new Date("2026-08-22T21:05:00Z"))).toBe("Sun 23 Aug, 00:05");
});

test("every month has three letters", () => {
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 5, 9)));
  expect(months.map((at) => eastAfricaTime(at).split(" ")[2])).toEqual(
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].map((month) => `${month},`),
  );
  expect(dayName("2026-09-05")).toBe("5 Sep");
});

test.each([
  [2 * 86_400_000 + 4 * 3_600_000, "2\u00a0d\u00a04\u00a0h"],
  [3 * 3_600_000 + 12 * 60_000, "3\u00a0h\u00a012\u00a0min"],
  [249_000, "4:09"],
  [400, "0:01"],
  [-1, "0:00"],
])("%d ms left reads %s", (ms, text) => expect(timeLeft(ms)).toBe(text));
