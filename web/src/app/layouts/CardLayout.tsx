import type { ReactNode } from "react";
import { Wordmark } from "../../components/Wordmark";
import { useTitle } from "../../lib/use-title";
import { Footer } from "./Footer";
import styles from "./CardLayout.module.css";
import { msg } from "../../lib/i18n";

type Props = {
  title: string;
  lead?: string;
  children: ReactNode;
  /** What lies under the card, or beside it where there is room. */
  beside?: ReactNode;
};

/** The layout of the screens that need no log-in: the mark, one heading, one card. */
export function CardLayout({ title, lead, children, beside }: Props) {
  useTitle(title);
  return (
    <div className={styles.layout} data-wide={Boolean(beside)}>
      <header className={styles.brand}>
        <Wordmark />
      </header>
      <main className={styles.card}>
        <div>
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className="quiet">{lead}</p>}
        </div>
        {children}
      </main>
      {beside && (
        <aside className={styles.beside} aria-label={msg("About FPL Leagues")}>
          {beside}
        </aside>
      )}
      <Footer />
    </div>
  );
}
