import { Button } from "@aws-amplify/ui-react";
import { Suspense } from "react";
import { BottomBar } from "../components/BottomBar";
import { orNothing } from "../components/part";
import { bold, rich } from "../components/rich";
import { useInstallOffer } from "../lib/install";
import { useNewVersion } from "../lib/new-version";
import { reloadPage } from "../lib/page";
import { useOnline } from "../lib/use-online";
import { msg } from "../lib/i18n";

const InstallBanner = orNothing(() => import("../features/install/InstallBanner").then((m) => m.InstallBanner));

/**
 * What is said on every screen: that there is no network, or else that there is a new version, or that the app can be
 * installed. All paying is done in dialogs, which cover it.
 */
export function StatusBars() {
  const online = useOnline();
  const outdated = useNewVersion();
  const offer = useInstallOffer();
  if (!online) {
    return (
      <BottomBar label={msg("Network")}>
        <p role="status">{rich(msg("[You are offline.] What you see may be old. Nothing can be paid until you are back."), bold)}</p>
      </BottomBar>
    );
  }
  if (outdated) {
    return (
      <BottomBar label={msg("New version")}>
        <p role="status">{msg("A new version is here.")}</p>
        <Button onClick={reloadPage}>{msg("Reload")}</Button>
      </BottomBar>
    );
  }
  if (offer === "none") return null;
  return (
    <Suspense fallback={null}>
      <InstallBanner offer={offer} />
    </Suspense>
  );
}
