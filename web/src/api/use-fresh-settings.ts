import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { settingsQuery } from "./queries";

/** Reads the settings anew each time that a dialog about money opens: a tax may have begun since. */
export function useFreshSettings(open: boolean) {
  const client = useQueryClient();
  useEffect(() => {
    if (open) void client.invalidateQueries({ queryKey: settingsQuery.queryKey });
  }, [client, open]);
}
