import { Link } from "react-router";
import { rich } from "../../components/rich";
import { Helpline } from "../../features/contact/Helpline";
import { contactLink, TextLayout } from "../layouts/TextLayout";
import { msg } from "../../lib/i18n";

const limitsLink = (name: string) => <Link to="/limits">{name}</Link>;

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
        msg("On the page [Limits and breaks] you set what you pay in and stake at the most in a day, a week or a month, and what you lose at the most in a month. A lower limit counts at once; a higher one after 24 hours, once you have confirmed it."),
        limitsLink,
      )}
    </p>
    <p>
      {rich(
        msg("There you can also stop: for 1 day to 6 weeks, or by self-exclusion for 6 months, 1 year or 5 years. Nobody can end that early, we neither. Meanwhile you cannot enter or deposit, we do not invite you, and your phone, email and team cannot be used under another account. You can log in and withdraw; what you have entered already is played, and money sent to the paybill by hand is credited, for we cannot refuse it. To stop for good, or for help with it, write to us: [Contact]."),
        contactLink,
      )}
    </p>
    <h2>{msg("Is there a problem?")}</h2>
    <Helpline />
    <h2>{msg("Only adults play")}</h2>
    <p>{msg("Whoever creates an account says that they are 18 or older. Where we doubt it we ask for a proof: until it is given the account can withdraw, and neither enter nor deposit.")}</p>
    <h2>{msg("What else is in your hands")}</h2>
    <p>
      {rich(
        msg("On the page [My account] you see everything that we keep about you, end sessions, and close the account."),
        (name) => <Link to="/account">{name}</Link>,
      )}
    </p>
    <p>
      {rich(
        msg("If you do not agree with a payment, a withdrawal, a league or an entry, say so beside it: [Something is wrong?] You can do so during a break and an exclusion as well."),
        (name) => <Link to="/cases">{name}</Link>,
      )}
    </p>
  </TextLayout>
);
