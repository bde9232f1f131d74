import { Button } from "@aws-amplify/ui-react";
import styles from "./Hero.module.css";

export const Hero = ({ onJoin }: { onJoin: () => void }) => (
  <section className={styles.hero} aria-label="Welcome">
    <div>
      <h1 className={styles.title}>Ready for the Gameweek?</h1>
      <p className="quiet">Leagues of ten. The top score takes the prize.</p>
    </div>
    <Button onClick={onJoin}>Join a League</Button>
  </section>
);
