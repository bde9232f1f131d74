import { Button } from "@aws-amplify/ui-react";
import { matchPath, useLocation } from "react-router";
import { BottomBar } from "../../components/BottomBar";
import { bold, rich } from "../../components/rich";
import { dismissInstall, install, type InstallOffer } from "../../lib/install";
import styles from "./InstallBanner.module.css";
import { msg } from "../../lib/i18n";

const WHERE_PEOPLE_PAY = ["/payment", "/checkout-wallet"];

/**
 * Offers to put the app on the home screen; where the browser has no prompt for it, says how. Where people pay it does not
 * lie over the amounts: a tap that was meant for one of them would install instead.
 */
export function InstallBanner({ offer }: { offer: Exclude<InstallOffer, "none"> }) {
  const { pathname } = useLocation();
  return (
    <BottomBar label={msg("Install")} atTheEnd={WHERE_PEOPLE_PAY.some((page) => matchPath(page, pathname))}>
      <p className={styles.words}>
        {offer === "prompt" ? (
          <b>{msg("Put FPL Leagues on your phone")}</b>
        ) : (
          rich(msg("[Put FPL Leagues on your phone:] tap Share, then Add to Home Screen."), bold)
        )}
      </p>
      {offer === "prompt" && (
        <Button variation="primary" onClick={() => void install()}>{msg("Install")}</Button>
      )}
      <button type="button" className={styles.close} aria-label={msg("Not now")} onClick={dismissInstall}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 6l12 12M18 6L6 18" />
        </svg>
      </button>
    </BottomBar>
  );
}
