import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "./queries";

/** How much of a deposit is excise, in percent; `null` where there is none, or it is not known yet. */
export function useExcise(): number | null {
  const { data } = useQuery(settingsQuery);
  return data?.excisePercent ?? null;
}
