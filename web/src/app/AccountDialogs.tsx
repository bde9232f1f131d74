import { useNavigate } from "react-router";
import { LogOutDialog } from "../features/account/LogOutDialog";
import { DepositDialog } from "../features/wallet/DepositDialog";
import { ProfileDialog } from "../features/wallet/ProfileDialog";
import { TopUpDialog } from "../features/wallet/TopUpDialog";
import { WithdrawDialog } from "../features/wallet/WithdrawDialog";
import type { Session } from "../lib/session";
import type { Dialogs } from "./use-dialogs";

/** The dialogs about a player's account and money, the same on every page that has the profile icon. */
export function AccountDialogs({ session, dialogs }: { session: Session; dialogs: Dialogs }) {
  const navigate = useNavigate();
  const { shown, reason, open, close } = dialogs;
  return (
    <>
      <ProfileDialog
        open={shown === "profile"}
        session={session}
        onClose={close}
        onTopUp={() => open("deposit")}
        onWithdraw={() => open("withdraw")}
        onLogOut={() => open("logout")}
      />
      <DepositDialog
        open={shown === "deposit"}
        reason={reason}
        onClose={close}
        onCode={() => open("top-up")}
      />
      <TopUpDialog open={shown === "top-up"} onClose={close} onPrompt={() => open("deposit")} />
      <WithdrawDialog open={shown === "withdraw"} onClose={close} />
      <LogOutDialog open={shown === "logout"} onClose={close} onLoggedOut={() => void navigate("/")} />
    </>
  );
}
