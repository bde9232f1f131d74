import { LogInPicture, NumberPicture, PointsPicture } from "./pictures";
import styles from "./Steps.module.css";

/** The three steps (spec §2), each a picture with what to do in it. */
export const Steps = () => (
  <ol className={styles.steps}>
    <li>
      <figure className={styles.step}>
        <LogInPicture />
        <figcaption>Log in on the fantasy site in a browser, not the app.</figcaption>
      </figure>
    </li>
    <li>
      <figure className={styles.step}>
        <PointsPicture />
        <figcaption>Open the Points tab.</figcaption>
      </figure>
    </li>
    <li>
      <figure className={styles.step}>
        <NumberPicture />
        <figcaption>
          <span>
            Read the number after <code>/entry/</code> in the address bar.
          </span>
        </figcaption>
      </figure>
    </li>
  </ol>
);
