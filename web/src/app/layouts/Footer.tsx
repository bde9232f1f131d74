import { Link } from "react-router";
import { useSession } from "../../lib/session";
import styles from "./Footer.module.css";

const PAGES = [
  ["/contact", "Contact"],
  ["/terms", "Terms"],
  ["/privacy", "Privacy"],
  ["/responsible-play", "Responsible play"],
] as const;

/** What every screen leads to at its end; an admin to the panel too. */
export const Footer = () => (
  <footer className={styles.footer}>
    <nav aria-label="About">
      {useSession()?.role === "admin" && (
        <Link className="link-row" to="/panel">
          Admin panel
        </Link>
      )}
      {PAGES.map(([to, name]) => (
        <Link key={to} className="link-row" to={to}>
          {name}
        </Link>
      ))}
    </nav>
    <p className="quiet small">18 or older. Play only with money you can afford to lose.</p>
  </footer>
);
