/** The typed client: every call of the app goes through it. */
import createClient from "openapi-fetch";
import { authedFetch } from "./authed-fetch";
import type { paths } from "./paths";

export const api = createClient<paths>({ baseUrl: location.origin, fetch: authedFetch });
