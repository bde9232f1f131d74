import { useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import styles from "./Menu.module.css";
import { msg } from "../lib/i18n";

export type MenuItem = { to: string; name: string };

/** Links behind a button of three lines: closed by Escape, by a tap elsewhere, and when the focus leaves. */
export function Menu({ items }: { items: readonly MenuItem[] }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const menu = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const onPress = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("focusin", onPress);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("focusin", onPress);
      document.removeEventListener("keydown", onKey);
    };
  }, [open]);

  return (
    <nav ref={menu} className={styles.menu} aria-label={msg("Menu")}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={msg("Menu")}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 7h16M4 12h16M4 17h16" />
        </svg>
      </button>
      <ul id={id} className={styles.items} hidden={!open}>
        {items.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} onClick={() => setOpen(false)}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
