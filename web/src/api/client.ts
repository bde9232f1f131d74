/**
 * The typed client: every call of the app goes through it. Its types are generated from the API's own
 * document (`npm run api`), so a call that is not there, or not so, does not compile.
 */
import createClient from "openapi-fetch";
import { authedFetch } from "./authed-fetch";
import type { components, paths } from "./schema";

/** What the browser keeps is asked after each time: the edge keeps answers for seconds, which is old enough. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: authedFetch, cache: "no-cache" });

/** What calls send and answer, by the name it has in the document. */
export type Schemas = components["schemas"];
