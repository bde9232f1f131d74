import type { ReactNode } from "react";
import { Link } from "react-router";
import styles from "./TextLayout.module.css";
import { Shell } from "./Shell";
import { msg } from "../../lib/i18n";

export const contactLink = (name: string) => <Link to="/contact">{name}</Link>;

type Props = {
  title: string;
  children: ReactNode;
  /** No other language is offered. */
  inOneLanguage?: boolean;
};

/** The layout of the pages that are only read. */
export const TextLayout = ({ title, children, inOneLanguage = false }: Props) => (
  <Shell title={title} home="/payment" inOneLanguage={inOneLanguage}>
    <article className={styles.text}>
      <h1 className="page-title">{title}</h1>
      {children}
      <Link className="link-row" to="/payment">{msg("Back to the main page")}</Link>
    </article>
  </Shell>
);
