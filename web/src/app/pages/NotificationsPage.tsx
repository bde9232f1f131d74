import { NotificationSettings } from "../../features/accounts/NotificationSettings";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const NotificationsPage = () => (
  <PlayerLayout title={msg("Notifications")}>
    <NotificationSettings />
  </PlayerLayout>
);
