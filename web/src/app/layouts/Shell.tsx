import type { ReactNode } from "react";
import { Link } from "react-router";
import { Wordmark } from "../../components/Wordmark";
import { useTitle } from "../../lib/use-title";
import { Footer } from "./Footer";
import styles from "./Shell.module.css";

type Props = {
  title: string;
  home: string;
  actions?: ReactNode;
  children: ReactNode;
  /** No other language is offered. */
  inOneLanguage?: boolean;
};

/** The layout of every other screen: the mark, what this screen offers, the page. */
export function Shell({ title, home, actions, children, inOneLanguage = false }: Props) {
  useTitle(title);
  return (
    <div className={styles.shell}>
      <header className={styles.bar}>
        <div className={styles.inner}>
          <Link to={home} className={styles.home ?? ""}>
            <Wordmark />
          </Link>
          <div className={styles.actions}>{actions}</div>
        </div>
      </header>
      <main className={styles.page}>{children}</main>
      <Footer inOneLanguage={inOneLanguage} />
    </div>
  );
}

type IconButtonProps = { label: string; onClick: () => void };

export const ProfileButton = ({ label, onClick }: IconButtonProps) => (
  <button type="button" className={styles.icon} aria-label={label} onClick={onClick}>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="8.5" r="4" />
      <path d="M4.5 20c1.2-3.6 4-5.4 7.5-5.4s6.3 1.8 7.5 5.4" />
    </svg>
  </button>
);

export const BarButton = ({ label, onClick }: IconButtonProps) => (
  <button type="button" className={styles.text} onClick={onClick}>
    {label}
  </button>
);
