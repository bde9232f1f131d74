import { Link } from "react-router";
import { useSession } from "../../lib/session";
import { LanguageSwitch } from "../LanguageSwitch";
import styles from "./Footer.module.css";
import { msg } from "../../lib/i18n";

const pages = () =>
  [
    ["/contact", msg("Contact")],
    ["/terms", msg("Terms")],
    ["/privacy", msg("Privacy")],
    ["/responsible-play", msg("Responsible play")],
    ["/trust", msg("Our books")],
  ] as const;

/** What every screen leads to at its end; an admin to the panel too. And the other language. */
export const Footer = ({ inOneLanguage = false }) => (
  <footer className={styles.footer}>
    <nav aria-label={msg("About")}>
      {useSession()?.role === "admin" && (
        <Link className="link-row" to="/panel">{msg("Admin panel")}</Link>
      )}
      {pages().map(([to, name]) => (
        <Link key={to} className="link-row" to={to}>
          {name}
        </Link>
      ))}
      {!inOneLanguage && <LanguageSwitch />}
    </nav>
    <p className="quiet small">{msg("18 or older. Play only with money you can afford to lose.")}</p>
  </footer>
);
