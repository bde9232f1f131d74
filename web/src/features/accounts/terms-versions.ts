/** The versions of the terms whose texts this build has. */
import type { Schemas } from "../../api/client";

export type Version = Schemas["PublicSettings"]["terms"];

/** The oldest first: the API's list has no other. */
const ALL: Readonly<Record<Version, true>> = { "2026-08-01": true };
export const VERSIONS = Object.keys(ALL) as readonly Version[];

export const isVersion = (name: string): name is Version => VERSIONS.some((version) => version === name);

/** Whether it is one that came after this build. */
export const isNewer = (name: string) => /^\d{4}-\d\d-\d\d$/.test(name) && VERSIONS.every((version) => version < name);
