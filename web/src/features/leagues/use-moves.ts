import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Ranked } from "./ranking";

/**
 * How many places each member has moved since the page first showed them, by team (up is positive). If all were level then
 * (as at the first kick-off), counting starts when two differ, so that nobody "falls" from a shared first place.
 */
export function useMoves(members: readonly Ranked[]): ReadonlyMap<string, number> {
  const [first, setFirst] = useState<ReadonlyMap<string, number>>(new Map());
  const ranks = members.flatMap(({ fplId, rank }) => (rank === null ? [] : [[fplId, rank] as const]));
  const areApart = ranks.some(([, rank]) => rank !== ranks[0]?.[1]);
  const unseen = ranks.filter(([fplId]) => !first.has(fplId));
  if (areApart && unseen.length > 0) setFirst(new Map([...first, ...unseen]));
  return new Map(ranks.map(([fplId, rank]) => [fplId, (first.get(fplId) ?? rank) - rank]));
}

const MOVE_MS = 450;

/** Rows that change their places glide there, for those who have not asked for less motion. */
export function useGlidingRows(ref: RefObject<HTMLElement | null>, members: readonly Ranked[]) {
  const order = members.map(({ fplId }) => fplId).join();
  const tops = useRef(new Map<string, number>());
  const shown = useRef(order);
  const rows = () => [...(ref.current?.querySelectorAll<HTMLElement>("tr[data-team]") ?? [])];

  useLayoutEffect(() => {
    if (shown.current === order) return;
    shown.current = order;
    if (!("animate" in Element.prototype) || !window.matchMedia("(prefers-reduced-motion: no-preference)").matches) return;
    for (const row of rows()) {
      const before = tops.current.get(row.dataset.team ?? "");
      if (before === undefined || before === row.offsetTop) continue;
      row.animate([{ transform: `translateY(${before - row.offsetTop}px)` }, { transform: "none" }], {
        duration: MOVE_MS,
        easing: "ease-in-out",
      });
    }
  });
  useEffect(() => void (tops.current = new Map(rows().map((row) => [row.dataset.team ?? "", row.offsetTop]))));
}
