import { createHash, createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { entriesHash, fromHex, leagues, nameHash, sha256, sizes, toHex } from "./recompute";

// The rule of docs/draw.md, "What is fixed when".
test.each([
  [0, []],
  [1, []],
  [2, [2]],
  [9, [9]],
  [10, [10]],
  [11, [6, 5]],
  [13, [7, 6]],
  [15, [8, 7]],
  [16, [10, 6]],
  [20, [10, 10]],
  [21, [10, 6, 5]],
])("%d entries make leagues of %j", (entries, expected) => expect(sizes(entries)).toEqual(expected));

test("hashes are SHA-256 over the parts, one after the other", async () => {
  const [a, b] = [randomBytes(32), randomBytes(5)];
  expect(toHex(await sha256(a, new Uint8Array(), b))).toBe(createHash("sha256").update(a).update(b).digest("hex"));
  expect(fromHex("00ff10")).toEqual(new Uint8Array([0, 255, 16]));
});

test("a name's hash is over the salt and the name as they are written", async () => {
  const expected = createHash("sha256").update("00ffwanjiku").digest("hex");
  expect(await nameHash("00ff", "wanjiku")).toBe(expected);
});

test("the list's hash is over the lines in order, whatever order they come in", async () => {
  const expected = createHash("sha256").update("a1\nb2\nc3\n").digest("hex");
  expect(toHex(await entriesHash(["c3", "a1", "b2"]))).toBe(expected);
});

test("entries are ordered by HMAC-SHA-256 under the seed and cut", async () => {
  const seed = randomBytes(32);
  const ids = Array.from({ length: 13 }, (_, i) => `entry-${i}`);
  const place = (id: string) => createHmac("sha256", seed).update(id).digest("hex");
  const ordered = ids.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  expect(await leagues(new Uint8Array(seed), ids.toReversed())).toEqual([ordered.slice(0, 7), ordered.slice(7)]);
});
