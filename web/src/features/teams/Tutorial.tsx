import styles from "./Steps.module.css";


/** The video of the three steps, with its captions. Nothing of it is loaded before it is started. */
export const Tutorial = () => (
  <video className={styles.video} controls playsInline preload="none" poster="/tutorial.png" width={720} height={720}>
    <source src="/tutorial.mp4" type="video/mp4" />
    <track kind="captions" src="/tutorial.vtt" srcLang="en" label="English" />
  </video>
);
