import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "../../api/queries";
import { ErrorState } from "../../components/ErrorState";
import { msg } from "../../lib/i18n";

/** Who listens to people whose playing is a problem: as the operator has set it. */
export function Helpline() {
  const { data, isError, refetch } = useQuery(settingsQuery);
  if (!data) return isError ? <ErrorState text={msg("The helpline could not be read just now.")} onRetry={() => void refetch()} /> : null;
  return (
    <p>
      {msg("Is playing a problem for you or somebody near you? Talk to somebody:")} <b>{data.helpline}</b>
    </p>
  );
}
