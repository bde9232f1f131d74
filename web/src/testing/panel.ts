/** The panel as the tests use it: a part of it by its title, and calls that remember what was sent. */
import { screen, within } from "@testing-library/react";
import { http } from "msw";
import type { Schemas } from "../api/client";
import { openAt } from "./app";
import { server, url } from "./server";

const at = "2026-08-20T09:00:00Z";
/** A player as the panel lists them. */
export const OTIENO: Schemas["PlayerItem"] = {
  _id: "u7",
  username: "otieno",
  email: "otieno@example.com",
  fplId: "118670",
  teamName: "Nairobi Rangers",
  role: "player",
  suspended: false,
  frozen: false,
  ageProofWanted: false,
  createdAt: at,
};
/** The page of one who has only paid in. */
export const OTIENOS_PROFILE: Schemas["PlayerProfile"] = {
  player: OTIENO,
  season: 2026,
  needsTeam: false,
  wallet: 1250,
  owed: 0,
  phones: [],
  ownNumbers: [],
  paybillAccount: "5720014",
  unprovedPrizes: [],
  prompts: [],
  sessions: [],
  acts: [],
  transactions: [],
  entries: { profitAndLoss: 0, entries: [] },
};

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
