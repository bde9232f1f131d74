/** The panel as the tests use it: a part of it by its title, and calls that remember what was sent. */
import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { openAt } from "./app";
import { server, url } from "./server";

/** A part of the panel, by its title. */
export async function part(title: string, address = "/panel") {
  openAt(address);
  return within(await screen.findByRole("region", { name: title }));
}

/** The open dialog of this title. */
export const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

/** Answers a call and remembers what was sent. */
export function taking(method: "post" | "put" | "patch" | "delete", path: string, answer: () => Response) {
  const sent: unknown[] = [];
  server.use(
    http[method](url(path), async ({ request }) => {
      sent.push(await request.text().then((text) => (text ? (JSON.parse(text) as unknown) : null)));
      return answer();
    }),
  );
  return sent;
}
