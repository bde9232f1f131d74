import { Notifications } from "../../features/accounts/Notifications";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const NotificationsPage = () => (
  <PlayerLayout title={msg("Notifications")}>
    <Notifications />
  </PlayerLayout>
);
