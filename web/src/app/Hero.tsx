import { Button } from "@aws-amplify/ui-react";
import styles from "./Hero.module.css";

type Props = { onJoin: () => void; onNews: () => void };

export const Hero = ({ onJoin, onNews }: Props) => (
  <section className={styles.hero} aria-label="Welcome">
    <div>
      <h1 className="page-title">Ready for the Gameweek?</h1>
      <p className="quiet">Leagues of ten. The top score takes the prize.</p>
    </div>
    <div className={styles.buttons}>
      <Button onClick={onJoin}>Join a League</Button>
      <Button onClick={onNews}>View About Gameweek</Button>
    </div>
  </section>
);
