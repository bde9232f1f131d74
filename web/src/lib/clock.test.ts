import { beforeEach, expect, test, vi } from "vitest";
import { clockFrom, productNow } from "./clock";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("1999-01-01T00:00:00Z") }));

test("time goes on from the product's answer, whatever the device's clock says", () => {
  const clock = clockFrom("2026-08-20T09:00:00Z");
  vi.advanceTimersByTime(90_000);
  vi.setSystemTime(Date.parse("2040-01-01T00:00:00Z"));
  expect(new Date(productNow(clock)).toISOString()).toBe("2026-08-20T09:01:30.000Z");
});

test("an answer that the edge has kept for a while says an earlier time than it is", () => {
  const clock = clockFrom("2026-08-20T09:00:00Z", 8);
  expect(new Date(productNow(clock)).toISOString()).toBe("2026-08-20T09:00:08.000Z");
});
