import { useEffect } from "react";
import { show, startLanguage, useLanguage } from "../lib/i18n";

const PANEL = "/panel";

/** Another language is the whole app anew (`App`), and so is the panel: only another address is leaving it. */
function leave() {
  if (location.pathname.startsWith(PANEL)) return;
  window.removeEventListener("popstate", leave);
  void startLanguage();
}

/** Shows everything in English while the panel is open, which is English for everybody; the reader's own choice stays. Whether it is so. */
export function useEnglish(wanted: boolean): boolean {
  const isEnglish = useLanguage() === "en";
  useEffect(() => {
    if (!wanted) return void startLanguage();
    void show("en");
    // A panel that broke is gone before its address is: then the way back leaves it.
    window.addEventListener("popstate", leave);
    return leave;
  }, [wanted]);
  return isEnglish;
}
