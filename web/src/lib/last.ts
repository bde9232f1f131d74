/** The last of a list: `at` is younger than the oldest browsers that the app is built for. */
export const last = <T>(list: readonly T[]): T | undefined => list[list.length - 1];
