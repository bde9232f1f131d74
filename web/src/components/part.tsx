import { lazy, type ComponentType, type ReactElement } from "react";
import { reloadPage } from "../lib/page";
import { msg } from "../lib/i18n";
import { ErrorState } from "./ErrorState";

const NotLoaded = () => <ErrorState text={msg("This could not be loaded.")} onRetry={reloadPage} />;
const Nothing = () => null;

const instead = <Props,>(load: () => Promise<ComponentType<Props>>, other: () => ReactElement | null) =>
  lazy(() =>
    load()
      .catch((error: unknown): ComponentType<Props> => {
        console.error(error);
        return other;
      })
      .then((component) => ({ default: component })),
  );

/** What is loaded when it is opened. Where it does not come, that is said in its place, and the screen around it stays. */
export const part = <Props,>(load: () => Promise<ComponentType<Props>>) => instead(load, NotLoaded);

/** The same for what nobody has asked for: where it does not come, nothing stands there. */
export const orNothing = <Props,>(load: () => Promise<ComponentType<Props>>) => instead(load, Nothing);
