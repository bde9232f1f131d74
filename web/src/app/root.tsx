import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startModals } from "../components/open-modal";
import { startLanguage } from "../lib/i18n";
import { listenForInstall } from "../lib/install";
import { lookForNewVersion } from "../lib/new-version";
import { App } from "./App";
import { startUp } from "./start-up";
import "./kit.css";
import "./theme.css";
import "./base.css";

/** Puts the app where the page's first paint was. */
export async function mount(root: Element) {
  listenForInstall();
  lookForNewVersion();
  const started = startUp();
  await Promise.all([startLanguage(), startModals()]);
  createRoot(root).render(
    <StrictMode>
      <App started={started} />
    </StrictMode>,
  );
}
