import { Button } from "@aws-amplify/ui-react";
import { Steps } from "../../features/teams/Steps";
import { settings } from "../../lib/settings";
import { BackFromTeamId } from "../BackFromTeamId";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

/** A page of ours goes on with what this tab keeps: what was typed into the registration, and its referral code. */
const relOf = (address: string) => (/^\/(?!\/)/.test(address) ? "opener" : "noreferrer");

export const GetFplIdPage = () => (
  <CardLayout title={msg("Find your FPL ID")} lead={msg("It is the number of your team on the fantasy site.")}>
    <Steps />
    {settings.tutorialUrl && (
      <Button as="a" href={settings.tutorialUrl} target="_blank" rel={relOf(settings.tutorialUrl)} isFullWidth>{msg("Watch the video")}</Button>
    )}
    <BackFromTeamId />
  </CardLayout>
);
