import { rich } from "../../components/rich";
import { settings } from "../../lib/settings";
import { contactLink, TextLayout } from "../layouts/TextLayout";
import { msg } from "../../lib/i18n";

export const ResponsiblePlayPage = () => (
  <TextLayout title={msg("Responsible play")}>
    <p>{msg("Playing for money can become an addiction. It is for adults of 18 years or older, for fun, and with money that you can afford to lose. Most entries do not win.")}</p>
    <h2>{msg("Keep it a game")}</h2>
    <ul>
      <li>{msg("Decide before the season what you will spend, and stop there.")}</li>
      <li>{msg("Never borrow to play, and never play with rent, school fees or food money.")}</li>
      <li>{msg("Do not try to win back what you lost by entering a higher amount.")}</li>
      <li>{msg("Leave a gameweek out now and then.")}</li>
    </ul>
    <h2>{msg("Signs to take seriously")}</h2>
    <ul>
      <li>{msg("You think about your leagues when you should work or sleep.")}</li>
      <li>{msg("You hide from others how much you play.")}</li>
      <li>{msg("You are restless or angry when you cannot join.")}</li>
    </ul>
    <h2>{msg("Stop for a while, or for good")}</h2>
    <p>
      {rich(
        msg("Write to us and we suspend your account: [Contact]. Whoever is suspended cannot enter a league any more, and can still withdraw what is in the wallet."),
        contactLink,
      )}
    </p>
    {settings.helpline && (
      <p>
        {msg("To talk to somebody:")} <b>{settings.helpline}</b>
      </p>
    )}
  </TextLayout>
);
