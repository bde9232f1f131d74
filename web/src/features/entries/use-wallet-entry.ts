import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { currentGameweekQuery, ENTRIES, refreshWallet, userQuery } from "../../api/queries";
import { explain, isCertain, Refusal } from "../../api/refusal";
import type { Trouble } from "../../components/Problem";
import { useSubmit } from "../../lib/use-submit";
import { joinLeague, UNKNOWN_GAMEWEEK } from "./join";

type Ends = {
  onJoined: (paid: number) => void;
  /** The balance does not suffice: what to say while topping up. */
  onShort: (text: string) => void;
  /** 409: said on the page, the dialog closes. */
  onAlreadyJoined: (text: string) => void;
};

const NOTHING_TAKEN = "Nothing was taken from your wallet.";
const PERHAPS_TAKEN = "If you are in already, your balance shows it. You can try again: nobody pays twice.";

/** A join from the wallet (spec §4 "Join from the wallet"). */
export function useWalletEntry({ onJoined, onShort, onAlreadyJoined }: Ends) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<Trouble>();
  const { busy, submit } = useSubmit();

  const join = (entryAmount: number) =>
    submit(async () => {
      setProblem(undefined);
      try {
        const { wallet } = await client.fetchQuery(userQuery);
        if (wallet < entryAmount) {
          onShort(`Insufficient wallet balance for KSh ${entryAmount}. Please top up.`);
          return;
        }
        const gameweek = await client.fetchQuery(currentGameweekQuery).catch(() => null);
        if (gameweek === null) {
          setProblem({ text: `${UNKNOWN_GAMEWEEK} Try again shortly.`, money: NOTHING_TAKEN });
          return;
        }
        await joinLeague({ entryAmount, gameweek });
        await refreshWallet(client);
        void client.invalidateQueries({ queryKey: ENTRIES });
        onJoined(entryAmount);
      } catch (error) {
        if (error instanceof Refusal && error.status === 409) {
          onAlreadyJoined(error.told ?? "You already joined this gameweek.");
          return;
        }
        const text = explain(error, {
          refused: "Failed to join league. Try again.",
          failed: "An error occurred. Please try again.",
        });
        setProblem({ text, money: isCertain(error) ? NOTHING_TAKEN : PERHAPS_TAKEN });
        if (!isCertain(error)) void refreshWallet(client);
      }
    });

  return { busy, problem, join, forget: () => setProblem(undefined) };
}
