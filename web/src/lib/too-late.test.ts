import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { clockFrom } from "./clock";
import { useTooLate } from "./too-late";

beforeEach(() => void vi.useFakeTimers());

const BEFORE = "2026-08-22T10:30:00Z";
/** A day after the deadline before: gameweek 4 is the current one as soon as that has passed. */
const at = (now: string) => ({ gameweek: 4, deadline: "2026-08-23T10:30:00Z", clock: clockFrom(now) });

test("a payment for the gameweek before is too late when that list is fixed, not when the current gameweek changes", async () => {
  const status = at("2026-08-22T10:54:50Z");
  const { result } = renderHook(() => useTooLate(status, BEFORE));
  expect([2, 3, 4, null].map((gameweek) => result.current(gameweek))).toEqual([false, false, false, false]);
  await act(async () => {
    await vi.advanceTimersByTimeAsync(11_000);
  });
  expect([2, 3, 4, null].map((gameweek) => result.current(gameweek))).toEqual([true, true, false, false]);
});

test("without the deadline before no payment for a former gameweek is said to be too late", () => {
  const status = at("2026-08-23T11:00:00Z");
  const { result, rerender } = renderHook((before?: string) => useTooLate(status, before));
  expect([3, 4].map((gameweek) => result.current(gameweek))).toEqual([false, true]);
  rerender(BEFORE);
  expect([3, 4].map((gameweek) => result.current(gameweek))).toEqual([true, true]);
});
