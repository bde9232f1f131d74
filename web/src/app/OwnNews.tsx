import type { Session } from "../lib/session";
import { AccountDialogs } from "./AccountDialogs";
import { Greetings } from "./Greetings";
import { useDialogs } from "./use-dialogs";

/** What is told to a player on a page that is everybody's, and the dialogs that this leads to. */
export function OwnNews({ session }: { session: Session }) {
  const dialogs = useDialogs();
  return (
    <>
      <Greetings unasked quiet={dialogs.shown !== null} onWithdraw={() => dialogs.open("withdraw")} />
      <AccountDialogs session={session} dialogs={dialogs} />
    </>
  );
}
