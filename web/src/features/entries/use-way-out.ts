import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { teamProofQuery } from "../../api/team-proof";

/** Whether a prize can go from the wallet to M-Pesa, or what stands in the way. `minimum`: the least that goes out, in KES. */
export type WayOut = { is: "open" } | { is: "too-little"; minimum: number } | { is: "unproved" };

/**
 * Undefined while it is being read; without the settings nothing is asked. What cannot be read stands in nobody's way: the
 * withdrawal itself is refused then.
 */
export function useWayOut(wallet: number, settings: Schemas["PublicSettings"] | undefined): WayOut | undefined {
  const { data: proof, isLoading } = useQuery({ ...teamProofQuery, enabled: settings?.safeguards === "full" });
  if (isLoading) return undefined;
  if (settings && wallet < settings.minimumWithdrawal) return { is: "too-little", minimum: settings.minimumWithdrawal };
  // Who has no team this season has none to prove.
  return { is: proof && !proof.proved && proof.fplId !== "" ? "unproved" : "open" };
}
