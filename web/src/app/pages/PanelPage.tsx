import { Navigate } from "react-router";
import { GameweekControl } from "../../features/panel/GameweekControl";
import { InfluencerLinks } from "../../features/panel/InfluencerLinks";
import { ManualPayments } from "../../features/panel/ManualPayments";
import { WaitingLeagues } from "../../features/panel/WaitingLeagues";
import { WithdrawalRequests } from "../../features/panel/WithdrawalRequests";
import { LogOutDialog } from "../../features/account/LogOutDialog";
import { useSession } from "../../lib/session";
import { LogInFirst } from "../LogInFirst";
import { BarButton, Shell } from "../Shell";
import { useDialogs } from "../use-dialogs";
import { useNavigate } from "react-router";
import styles from "./PanelPage.module.css";

/** The operator's desk. What it may do is decided by the server at every call. */
export function PanelPage() {
  const session = useSession();
  const navigate = useNavigate();
  const dialogs = useDialogs();

  if (!session) return <LogInFirst />;
  if (session.role !== "admin") return <Navigate to="/payment" replace />;

  return (
    <Shell title="Admin panel" home="/panel" actions={<BarButton label="Log out" onClick={() => dialogs.open("logout")} />}>
      <h1 className="page-title">Admin panel</h1>
      <div className={styles.sections}>
        <GameweekControl />
        <WaitingLeagues />
        <ManualPayments />
        <WithdrawalRequests />
        <InfluencerLinks />
      </div>
      <LogOutDialog
        open={dialogs.shown === "logout"}
        onClose={dialogs.close}
        onLoggedOut={() => void navigate("/")}
      />
    </Shell>
  );
}
