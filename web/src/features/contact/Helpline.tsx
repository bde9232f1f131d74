import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "../../api/queries";
import { msg } from "../../lib/i18n";

/** Who listens to people whose playing is a problem: as the operator has set it. */
export function Helpline() {
  const { data } = useQuery(settingsQuery);
  if (!data) return null;
  return (
    <p>
      {msg("Is playing a problem for you or somebody near you? Talk to somebody:")} <b>{data.helpline}</b>
    </p>
  );
}
