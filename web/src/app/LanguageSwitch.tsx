import { useEffect, useRef, useState } from "react";
import { tellLanguage } from "../api/tell-language";
import { chooseLanguage, msg, useLanguage } from "../lib/i18n";
import { noteUntold } from "../lib/language";
import { currentSession } from "../lib/session";
import styles from "./layouts/Footer.module.css";

/** Each language by its own name: whoever looks for it reads no other. */
const NAMES = { en: "English", sw: "Kiswahili" } as const;

/** Everything is drawn anew in the other language: who has just switched goes on here. */
let switched = false;

/** Offers the other language. */
export function LanguageSwitch() {
  const other = useLanguage() === "en" ? "sw" : "en";
  const button = useRef<HTMLButtonElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (switched) button.current?.focus();
    switched = false;
  }, []);

  const choose = async () => {
    setFailed(false);
    switched = true;
    try {
      await chooseLanguage(other);
      noteUntold(other);
      if (currentSession()) tellLanguage();
    } catch (error) {
      console.error(error);
      switched = false;
      setFailed(true);
    }
  };
  return (
    <>
      <button ref={button} type="button" className={`link-row ${styles.language}`} lang={other} onClick={() => void choose()}>
        {NAMES[other]}
      </button>
      {failed && <span role="alert">{msg("It could not be loaded just now. Please try again.")}</span>}
    </>
  );
}
