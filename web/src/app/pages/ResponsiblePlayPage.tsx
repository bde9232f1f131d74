import { Link } from "react-router";
import { settings } from "../../lib/settings";
import { TextLayout } from "../layouts/TextLayout";

export const ResponsiblePlayPage = () => (
  <TextLayout title="Responsible play">
    <p>
      Playing for money can become an addiction. It is for adults of 18 years or older, for fun, and with money that you
      can afford to lose. Most entries do not win.
    </p>
    <h2>Keep it a game</h2>
    <ul>
      <li>Decide before the season what you will spend, and stop there.</li>
      <li>Never borrow to play, and never play with rent, school fees or food money.</li>
      <li>Do not try to win back what you lost by entering a higher amount.</li>
      <li>Leave a gameweek out now and then.</li>
    </ul>
    <h2>Signs to take seriously</h2>
    <ul>
      <li>You think about your leagues when you should work or sleep.</li>
      <li>You hide from others how much you play.</li>
      <li>You are restless or angry when you cannot join.</li>
    </ul>
    <h2>Stop for a while, or for good</h2>
    <p>
      Write to us and we suspend your account: <Link to="/contact">Contact</Link>. Whoever is suspended cannot enter a
      league any more, and can still withdraw what is in the wallet.
    </p>
    {settings.helpline && (
      <p>
        To talk to somebody: <b>{settings.helpline}</b>
      </p>
    )}
  </TextLayout>
);
