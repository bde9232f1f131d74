import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { currentGameweekQuery, gameweekStatusQuery, moneyMoved, userQuery } from "../../api/queries";
import { explain, isCertain, Refusal } from "../../api/refusal";
import { whatIsOwed } from "../../api/use-balance";
import type { Trouble } from "../../components/Problem";
import { useSubmit } from "../../lib/use-submit";
import { entriesQuery } from "./entries";
import { joinLeague, unknownGameweek } from "./join";
import { entryInto } from "./standing";
import { msg, str } from "../../lib/i18n";

type Ends = {
  onJoined: (paid: number) => void;
  /** The balance does not suffice: what to say while topping up. */
  onShort: (text: string) => void;
  /** 409: said on the page, the dialog closes. */
  onAlreadyJoined: (text: string) => void;
};

export const alreadyJoined = () => msg("You already joined this gameweek.");
const nothingTaken = () => msg("Nothing was taken from your wallet.");
const perhapsTaken = () => msg("If you are in already, your balance shows it. You can try again: nobody pays twice.");

/** A join from the wallet (spec §4 "Join from the wallet"). */
export function useWalletEntry({ onJoined, onShort, onAlreadyJoined }: Ends) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<Trouble>();
  const { busy, submit } = useSubmit();

  const join = (entryAmount: number) =>
    submit(async () => {
      setProblem(undefined);
      try {
        const { wallet, owed, fplId } = await client.fetchQuery({ ...userQuery, staleTime: 0 });
        if (wallet < entryAmount) {
          if (await hasEntry(client)) {
            void moneyMoved(client);
            return onAlreadyJoined(alreadyJoined());
          }
          onShort(owed ? whatIsOwed(owed) : msg(str`Insufficient wallet balance for KSh ${entryAmount}. Please top up.`));
          return;
        }
        const gameweek = await client.fetchQuery({ ...currentGameweekQuery, staleTime: 0 }).catch(() => null);
        if (gameweek === null) {
          setProblem({ text: `${unknownGameweek()} ${msg("Try again shortly.")}`, money: nothingTaken() });
          return;
        }
        await joinLeague({ fplId, entryAmount, gameweek });
        await moneyMoved(client);
        onJoined(entryAmount);
      } catch (error) {
        if (error instanceof Refusal && error.status === 409) {
          void moneyMoved(client);
          onAlreadyJoined(error.said ?? alreadyJoined());
          return;
        }
        const text = explain(error, {
          refused: msg("Failed to join league. Try again."),
          failed: msg("An error occurred. Please try again."),
        });
        setProblem({ text, money: isCertain(error) ? nothingTaken() : perhapsTaken() });
        if (!isCertain(error)) void moneyMoved(client);
      }
    });

  return { busy, problem, join, forget: () => setProblem(undefined) };
}

/** Whether the player is in already, as the server has it now: from another phone, it may be. Not known counts as no. */
async function hasEntry(client: QueryClient): Promise<boolean> {
  const read = Promise.all([client.fetchQuery(gameweekStatusQuery), client.fetchInfiniteQuery({ ...entriesQuery, staleTime: 0 })]);
  const [status, entries] = await read.catch(() => [undefined, undefined]);
  return entryInto(status, entries?.pages.flatMap((page) => page.entries) ?? []) !== undefined;
}
