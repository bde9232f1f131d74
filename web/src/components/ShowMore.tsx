import { Button } from "@aws-amplify/ui-react";
import { msg } from "../lib/i18n";

/** The next page of a list; `failed`: it was asked for and did not come. */
export type More = { load: () => void; loading: boolean; failed?: boolean };

export const ShowMore = ({ more: { load, loading, failed }, label }: { more: More; label: string }) => (
  <>
    {failed && <p role="alert">{msg("It could not be read just now. Please try again.")}</p>}
    <Button onClick={load} isLoading={loading} loadingText={msg("Loading...")}>{label}</Button>
  </>
);
