import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { currentGameweekQuery, refreshWallet, userQuery } from "../../api/queries";
import { explain, Refusal } from "../../api/refusal";
import { useSubmit } from "../../lib/use-submit";
import { joinLeague, UNKNOWN_GAMEWEEK } from "./join";

type Ends = {
  onJoined: () => void;
  /** The balance does not suffice: what to say while topping up. */
  onShort: (text: string) => void;
  /** 409: said on the page, the dialog closes. */
  onAlreadyJoined: (text: string) => void;
};

/** A join from the wallet (spec section 4, wallet join). */
export function useWalletEntry({ onJoined, onShort, onAlreadyJoined }: Ends) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();
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
          setProblem(`${UNKNOWN_GAMEWEEK} Try again shortly.`);
          return;
        }
        await joinLeague({ entryAmount, gameweek });
        await refreshWallet(client);
        onJoined();
      } catch (error) {
        if (error instanceof Refusal && error.status === 409) {
          onAlreadyJoined(error.told ?? "You already joined this gameweek.");
          return;
        }
        setProblem(
          explain(error, {
            refused: "Failed to join league. Try again.",
            failed: "An error occurred. Please try again.",
          }),
        );
      }
    });

  return { busy, problem, join, forget: () => setProblem(undefined) };
}
