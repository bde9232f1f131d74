import { lazy, type ComponentType } from "react";

/** What comes after the first screen and never takes it along: where it does not come, nothing stands there. */
export const orNothing = (load: () => Promise<ComponentType>) =>
  lazy(() =>
    load()
      .catch((error: unknown) => {
        console.error(error);
        return () => null;
      })
      .then((component) => ({ default: component })),
  );
