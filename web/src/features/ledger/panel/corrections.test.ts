import { renderHook } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import { logInAs } from "../../../testing/app";
import { json, server, url } from "../../../testing/server";
import { useCorrection } from "./corrections";

beforeEach(() => {
  logInAs("admin");
  sessionStorage.clear();
});

test("a correction whose answer was lost is the same one when the page was loaded anew and its reason reworded, and another once it is answered", async () => {
  const sent: unknown[] = [];
  let lost = true;
  server.use(
    http.post(url("/api/admin/players/u7/corrections"), async ({ request }) => {
      sent.push(((await request.json()) as { correctionId: string }).correctionId);
      return lost ? HttpResponse.error() : json({ wallet: 100, writtenOff: 0 });
    }),
  );
  const correct = (reason: string) => renderHook(() => useCorrection("u7")).result.current(-400, reason);
  await expect(correct("Credited twice.")).rejects.toThrow();
  lost = false;
  await correct("It was credited twice.");
  await correct("It was credited twice.");
  expect(sent[1]).toBe(sent[0]);
  expect(sent[2]).not.toBe(sent[0]);
});

test("a correction that was booked when its answer was lost is told as that one, and the next is another", async () => {
  const sent: unknown[] = [];
  const transaction = { _id: "correction#1", kind: "correction", amount: -400, balanceAfter: 100, note: "Credited twice.", at: "2026-08-13T09:00:00Z" };
  server.use(
    http.post(url("/api/admin/players/u7/corrections"), async ({ request }) => {
      sent.push(((await request.json()) as { correctionId: string }).correctionId);
      return sent.length === 1 ? HttpResponse.error() : json({ wallet: 500, owed: 0, writtenOff: 0, repeated: sent.length === 2, transaction });
    }),
  );
  const correct = (reason: string) => renderHook(() => useCorrection("u7")).result.current(-400, reason);
  await expect(correct("Credited twice.")).rejects.toThrow();
  const before = "This was booked on Thu 13 Aug, 12:00 with the reason “Credited twice.”; nothing moved now. The wallet holds KSh 500.";
  expect(await correct("A wrong amount.")).toBe(before);
  expect(await correct("A wrong amount.")).toBe("The wallet is corrected: it holds KSh 500.");
  expect(sent[1]).toBe(sent[0]);
  expect(sent[2]).not.toBe(sent[0]);
});
