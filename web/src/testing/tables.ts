/** Tables to take away, in the tests: a page of one as the server answers it, and the file that is saved. */
import { HttpResponse } from "msw";
import { vi } from "vitest";
import * as file from "../lib/save-file";

export const csv = (text: string, next?: string) =>
  new HttpResponse(text, { headers: { "content-type": "text/csv", ...(next && { "x-next-cursor": next }) } });
export const saving = () => vi.spyOn(file, "saveFile").mockReturnValue(undefined);
