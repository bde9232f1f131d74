import type { Schemas } from "../api/client";

/** Who paused it: an admin by name, or the nightly comparison of the books. */
export const pausedBy = ({ by, byName }: Schemas["SwitchView"]) =>
  by === "reconciliation" ? "the comparison of the books" : (byName ?? "an admin");
