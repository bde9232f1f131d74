import { Button } from "@aws-amplify/ui-react";
import styles from "./Hero.module.css";
import { msg } from "../lib/i18n";

type Props = { onJoin: () => void; onNews: () => void };

export const Hero = ({ onJoin, onNews }: Props) => (
  <section className={styles.hero} aria-label={msg("Welcome")}>
    <div>
      <h1 className="page-title">{msg("Ready for the Gameweek?")}</h1>
      <p className="quiet">{msg("Leagues of ten. The top score takes the prize.")}</p>
    </div>
    <div className={styles.buttons}>
      <Button onClick={onJoin}>{msg("Join a League")}</Button>
      <Button onClick={onNews}>{msg("View About Gameweek")}</Button>
    </div>
  </section>
);
