import { useEffect } from "react";

/** What the browser calls this screen. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · FPL Leagues`;
  }, [title]);
}
