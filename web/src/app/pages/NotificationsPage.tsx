import { Notifications } from "../../features/accounts/Notifications";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const NotificationsPage = () => (
  <PlayerLayout title="Notifications">
    <Notifications />
  </PlayerLayout>
);
