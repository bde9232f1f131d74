import { Button } from "@aws-amplify/ui-react";
import { BottomBar } from "../../components/BottomBar";
import { dismissInstall, install, type InstallOffer } from "../../lib/install";
import styles from "./InstallBanner.module.css";

/** Offers to put the app on the home screen; where the browser has no prompt for it, says how. */
export const InstallBanner = ({ offer }: { offer: Exclude<InstallOffer, "none"> }) => (
  <BottomBar label="Install">
    <p className={styles.words}>
      {offer === "prompt" ? (
        <b>Put FPL Leagues on your phone</b>
      ) : (
        <>
          <b>Put FPL Leagues on your phone:</b> tap Share, then Add to Home Screen.
        </>
      )}
    </p>
    {offer === "prompt" && (
      <Button variation="primary" onClick={() => void install()}>
        Install
      </Button>
    )}
    <button type="button" className={styles.close} aria-label="Not now" onClick={dismissInstall}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M6 6l12 12M18 6L6 18" />
      </svg>
    </button>
  </BottomBar>
);
