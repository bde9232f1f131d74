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
