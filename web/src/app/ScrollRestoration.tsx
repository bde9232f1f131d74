import { useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";

/** One screen for these: opening its dialog's address is no arrival. */
const screenOf = (pathname: string) => (pathname === "/checkout-wallet" ? "/payment" : pathname);

/** Another screen begins at its top; the browser would keep the place of the one before. */
export function ScrollRestoration() {
  const screen = screenOf(useLocation().pathname);
  const before = useRef(screen);
  useLayoutEffect(() => {
    if (before.current !== screen) window.scrollTo(0, 0);
    before.current = screen;
  }, [screen]);
  return null;
}
