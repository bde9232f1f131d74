import { Button } from "@aws-amplify/ui-react";
import { Link } from "react-router";
import { Steps } from "../../features/teams/Steps";
import { settings } from "../../lib/settings";
import { CardLayout } from "../layouts/CardLayout";

export const GetFplIdPage = () => (
  <CardLayout title="Find your FPL ID" lead="It is the number of your team on the fantasy site.">
    <Steps />
    {settings.tutorialUrl && (
      <Button as="a" href={settings.tutorialUrl} target="_blank" rel="noreferrer" isFullWidth>
        Watch the video
      </Button>
    )}
    <Link className="link-row" to="/register">
      Back to registration
    </Link>
  </CardLayout>
);
