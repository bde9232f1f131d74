/** Kiswahili, all of it: loaded by its readers alone. */
export { templates } from "./sw";
export { refusals, sentences } from "./sw-server";
