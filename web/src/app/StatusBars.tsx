import { lazy, Suspense } from "react";
import { BottomBar } from "../components/BottomBar";
import { useInstallOffer } from "../lib/install";
import { useOnline } from "../lib/use-online";

const InstallBanner = lazy(() =>
  import("../features/install/InstallBanner").then((m) => ({ default: m.InstallBanner })),
);

/** What is said on every screen: that there is no network, or else that the app can be installed. */
export function StatusBars() {
  const online = useOnline();
  const offer = useInstallOffer();
  if (!online) {
    return (
      <BottomBar label="Network">
        <p role="status">
          <b>You are offline.</b> What you see may be old. Nothing can be paid until you are back.
        </p>
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
