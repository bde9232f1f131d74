import { useEffect } from "react";
import { show, startLanguage, useLanguage } from "../lib/i18n";

/** Shows everything in English while a page is open that is English for everybody; the reader's own choice stays. Whether it is so. */
export function useEnglish(path: string, wanted: boolean): boolean {
  const isEnglish = useLanguage() === "en";
  useEffect(() => {
    if (!wanted) return void startLanguage();
    void show("en");
    return () => {
      // Another language is the whole app anew (`App`), and so is this page: that is no leaving.
      if (!location.pathname.startsWith(path)) void startLanguage();
    };
  }, [path, wanted]);
  return isEnglish;
}
