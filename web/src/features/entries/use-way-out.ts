import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { teamProofQuery } from "../../api/team-proof";

/**
 * Whether a prize can go from the wallet to M-Pesa, or what stands in the way. `minimum`: the least that goes out, in KES;
 * `unsure`: the team that won it is not linked now, so the page does not know whether it was proved.
 */
export type WayOut = { is: "open" | "unproved" | "unsure" } | { is: "too-little"; minimum: number };

/**
 * Undefined while it is being read; without the settings nothing is asked. What cannot be read stands in nobody's way: the
 * withdrawal itself is refused then. `team`: the one that won, where it is known.
 */
export function useWayOut(wallet: number, settings: Schemas["PublicSettings"] | undefined, team: string | undefined): WayOut | undefined {
  const { data: proof, isLoading } = useQuery({ ...teamProofQuery, enabled: settings?.safeguards === "full" });
  if (isLoading) return undefined;
  if (settings && wallet < settings.minimumWithdrawal) return { is: "too-little", minimum: settings.minimumWithdrawal };
  if (!proof) return { is: "open" };
  if (proof.fplId === "" || (team && team !== proof.fplId)) return { is: "unsure" };
  return { is: proof.proved ? "open" : "unproved" };
}
