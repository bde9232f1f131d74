import { AgreedTerms } from "../../features/accounts/AgreedTerms";
import { CloseAccount } from "../../features/accounts/CloseAccount";
import { OwnData } from "../../features/accounts/OwnData";
import { Sessions } from "../../features/accounts/Sessions";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const AccountPage = () => (
  <PlayerLayout title={msg("My account")}>
    <Sessions />
    <AgreedTerms />
    <OwnData />
    <CloseAccount />
  </PlayerLayout>
);
