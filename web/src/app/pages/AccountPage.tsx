import { Link } from "react-router";
import { AgreedTerms } from "../../features/accounts/AgreedTerms";
import { CloseAccount } from "../../features/accounts/CloseAccount";
import { OwnData } from "../../features/accounts/OwnData";
import { OwnSessionList } from "../../features/accounts/OwnSessionList";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const AccountPage = () => (
  <PlayerLayout title={msg("My account")}>
    <OwnSessionList />
    <AgreedTerms />
    <OwnData />
    <CloseAccount />
    <Link className="link-row" to="/cases">{msg("All that you told us")}</Link>
  </PlayerLayout>
);
