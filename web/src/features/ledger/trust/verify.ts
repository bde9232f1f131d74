/**
 * That a balance is in the published sum of all wallets, checked by the rule (docs/trust.md) and without the server's help:
 * whoever does not trust its answer can hold it against the root that they noted.
 */
import type { Proof } from "./trust";

type Node = { hash: Uint8Array; sum: number };

/** What does not hold first: the leaf, a step by its number from 1, how many steps there are, or the root. */
export type Fault = "leaf" | "steps" | "root" | number;

const text = new TextEncoder();
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** Eight bytes, the highest first. */
function eightBytes(sum: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, Math.floor(sum / 2 ** 32));
  view.setUint32(4, sum % 2 ** 32);
  return new Uint8Array(view.buffer);
}

const isSum = (sum: number) => Number.isSafeInteger(sum) && sum >= 0;

const leafOf = async ({ nonce, userId, balance }: Proof): Promise<Node> => ({
  hash: await sha256(
    text.encode("fpl-leagues/sum-tree/leaf/1"),
    fromHex(nonce),
    await sha256(text.encode(userId)),
    eightBytes(balance),
  ),
  sum: balance,
});

const above = async (left: Node, right: Node): Promise<Node> => ({
  hash: await sha256(
    text.encode("fpl-leagues/sum-tree/node/1"),
    left.hash,
    eightBytes(left.sum),
    right.hash,
    eightBytes(right.sum),
  ),
  sum: left.sum + right.sum,
});

const isNode = (node: Node, said: { hash: string; sum: number }) => toHex(node.hash) === said.hash && node.sum === said.sum;

/** The first thing that does not hold; null where the balance leads to `root`. */
export async function faultIn(proof: Proof, root: { hash: string; sum: number; wallets: number }): Promise<Fault | null> {
  let { position: place, count: width } = proof;
  if (!isSum(proof.balance) || place < 0 || place >= width) return "leaf";
  let own = await leafOf(proof);
  if (toHex(own.hash) !== proof.leaf) return "leaf";
  let used = 0;
  while (width > 1) {
    const last = place + 1 === width && place % 2 === 0;
    if (!last) {
      const step = proof.steps[used];
      used += 1;
      if (!step) return "steps";
      if (!isSum(step.sibling.sum)) return used;
      const sibling = { hash: fromHex(step.sibling.hash), sum: step.sibling.sum };
      own = place % 2 === 0 ? await above(own, sibling) : await above(sibling, own);
      if (!isNode(own, step.above)) return used;
    }
    place = Math.floor(place / 2);
    width = Math.ceil(width / 2);
  }
  if (used !== proof.steps.length) return "steps";
  return isNode(own, root) && proof.count === root.wallets ? null : "root";
}
