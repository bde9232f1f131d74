import { expect, test } from "vitest";
import type { Proof } from "./trust";
import { faultIn } from "./verify";

/** The example of docs/trust.md. */
const top = "4199aafc8120807d86872da4b1afd3569ac827ef9042e0fec71bdf5d310aabbe";
const root = { hash: top, sum: 150, wallets: 2 };
const proof: Proof = {
  asOf: "2026-08-23T21:00:00Z",
  userId: "a".repeat(32),
  balance: 150,
  nonce: "01".repeat(32),
  position: 0,
  count: 2,
  leaf: "7d06227cbccfac7e8e06ee41c194614f9096773e5a144e675c6cf7ae1dea4448",
  steps: [
    {
      sibling: { hash: "6f849c3eb7fea0bc9e2e5e29ed715bdb5fedb45bb6797649bd50339b9e65d9d1", sum: 0 },
      above: { hash: top, sum: 150 },
    },
  ],
  root: { asOf: "2026-08-23T21:00:00Z", ...root },
};
const [step] = proof.steps as [Proof["steps"][number]];

test("the document's example leads to its root", async () => {
  expect(await faultIn(proof, root)).toBeNull();
});

test.each([
  ["another balance", { ...proof, balance: 151 }, "leaf"],
  ["a negative balance", { ...proof, balance: -150 }, "leaf"],
  ["another nonce", { ...proof, nonce: "02".repeat(32) }, "leaf"],
  ["another player", { ...proof, userId: "b".repeat(32) }, "leaf"],
  ["a place that is none", { ...proof, position: 2 }, "leaf"],
  ["the other side", { ...proof, position: 1 }, 1],
  ["a sibling that owes", { ...proof, steps: [{ ...step, sibling: { ...step.sibling, sum: -1 } }] }, 1],
  ["a sibling of another sum", { ...proof, steps: [{ ...step, sibling: { ...step.sibling, sum: 1 } }] }, 1],
  ["no steps", { ...proof, steps: [] }, "steps"],
  ["a step too many", { ...proof, steps: [step, step] }, "steps"],
] as const)("%s is found", async (_, changed, fault) => {
  expect(await faultIn(changed as Proof, root)).toBe(fault);
});

test("another root is found, and another number of wallets", async () => {
  expect(await faultIn(proof, { ...root, sum: 151 })).toBe("root");
  expect(await faultIn(proof, { ...root, hash: "0".repeat(64) })).toBe("root");
  expect(await faultIn(proof, { ...root, wallets: 3 })).toBe("root");
});
