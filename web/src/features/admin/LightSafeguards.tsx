import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "../../api/queries";
import { Notice } from "../../components/Notice";

/** Says on every page of the panel that what protects players' money is not all in force. */
export function LightSafeguards() {
  const { data } = useQuery(settingsQuery);
  if (data?.safeguards !== "light") return null;
  return (
    <Notice tone="warning">
      Safeguards are light: one admin moves money alone, without a code. Never run it like this where money is real.
    </Notice>
  );
}
