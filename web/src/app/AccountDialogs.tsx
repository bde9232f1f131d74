import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { userQuery } from "../api/queries";
import { useFreshSettings } from "../api/use-fresh-settings";
import { InviteLink } from "../features/influencers/InviteLink";
import { LogOutDialog } from "../features/accounts/LogOutDialog";
import { DepositDialog } from "../features/payments/DepositDialog";
import { ProfileDialog } from "../features/accounts/ProfileDialog";
import { mustAgree } from "../features/accounts/terms";
import { TermsDialog } from "../features/accounts/TermsDialog";
import { TypedCodeDialog } from "../features/payments/TypedCodeDialog";
import { WithdrawDialog } from "../features/withdrawals/WithdrawDialog";
import type { Session } from "../lib/session";
import type { Dialogs } from "./use-dialogs";

type Props = { session: Session; dialogs: Dialogs };

/** The dialogs about a player's account and money, the same on every page that has the profile icon. Once made, they stay: a prompt is waited for in them. */
export const AccountDialogs = (props: Props) => props.dialogs.wanted && <MadeDialogs {...props} />;

function MadeDialogs({ session, dialogs }: Props) {
  const navigate = useNavigate();
  const { shown, reason, open, close } = dialogs;
  const { data: user } = useQuery(userQuery);
  useFreshSettings(shown === "deposit" || shown === "typed-code" || shown === "withdraw");
  const asks = shown === "terms" && user !== undefined && mustAgree(user);
  return (
    <>
      <ProfileDialog
        open={shown === "profile"}
        session={session}
        onClose={close}
        onTopUp={() => open("deposit")}
        onWithdraw={() => open("withdraw")}
        onLogOut={() => open("logout")}
      >
        <InviteLink onGo={close} />
      </ProfileDialog>
      <DepositDialog
        // Who has agreed goes on where the terms stood in the way.
        open={shown === "deposit" || (shown === "terms" && !asks)}
        reason={reason}
        onClose={close}
        onTerms={() => open("terms", reason)}
        onCode={() => open("typed-code")}
      />
      {asks && <TermsDialog open terms={user.terms} onLater={() => open("deposit", reason)} />}
      <TypedCodeDialog open={shown === "typed-code"} onClose={close} onPrompt={() => open("deposit")} />
      <WithdrawDialog open={shown === "withdraw"} onClose={close} />
      <LogOutDialog open={shown === "logout"} onClose={close} onLoggedOut={() => void navigate("/")} />
    </>
  );
}
