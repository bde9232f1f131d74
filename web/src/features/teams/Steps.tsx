import { rich } from "../../components/rich";
import { LogInPicture, NumberPicture, PointsPicture } from "./pictures";
import styles from "./Steps.module.css";
import { msg } from "../../lib/i18n";

/** The three steps (spec §2), each a picture with what to do in it. */
export const Steps = () => (
  <ol className={styles.steps}>
    <li>
      <figure className={styles.step}>
        <LogInPicture />
        <figcaption>{msg("Log in on the fantasy site in a browser, not the app.")}</figcaption>
      </figure>
    </li>
    <li>
      <figure className={styles.step}>
        <PointsPicture />
        <figcaption>{msg("Open the Points tab.")}</figcaption>
      </figure>
    </li>
    <li>
      <figure className={styles.step}>
        <NumberPicture />
        <figcaption>
          <span>{rich(msg("Read the number after [/entry/] in the address bar."), (part) => <code>{part}</code>)}</span>
        </figcaption>
      </figure>
    </li>
  </ol>
);
