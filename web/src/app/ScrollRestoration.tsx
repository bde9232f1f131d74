import { useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";
import { currentSession } from "../lib/session";

/** One screen for these: opening its dialog's address is no arrival. */
const screenOf = (pathname: string) => (pathname === "/checkout-wallet" ? "/payment" : pathname);

/**
 * Another screen begins at its top; the browser would keep the place of the one before. What had the focus has mostly gone with
 * that one: then the heading has it, so that it is read out, and the keyboard goes on from there. Behind a dialog nothing takes it.
 */
export function ScrollRestoration() {
  const screen = screenOf(useLocation().pathname);
  const before = useRef<string>(null);
  useLayoutEffect(() => {
    if (before.current && before.current !== screen) {
      const title = document.querySelector("h1");
      if (title && document.activeElement === document.body) {
        title.tabIndex = -1;
        title.focus();
      }
      window.scrollTo(0, 0);
    }
    // Who is logged in only passes through the start.
    before.current = screen === "/" && currentSession() ? null : screen;
  }, [screen]);
  return null;
}
