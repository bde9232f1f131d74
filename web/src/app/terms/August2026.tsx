import { Link } from "react-router";
import { rich } from "../../components/rich";
import { msg } from "../../lib/i18n";
import { contactLink } from "../layouts/TextLayout";

/** The terms of 1 August 2026, the first. What has been in force is not changed any more: a change is a new version. */
export const August2026 = () => (
  <>
    <p className="quiet">{msg("In plain words, what you agree to when you register and play.")}</p>
    <h2>{msg("Who may play")}</h2>
    <ul>
      <li>{msg("You are 18 or older.")}</li>
      <li>{msg("You have one account, with your own team's id. An account that guesses an id gets deleted.")}</li>
      <li>{msg("We can ask you to show your age. Until you have, you can withdraw, but not enter or deposit.")}</li>
    </ul>
    <h2>{msg("Entries")}</h2>
    <ul>
      <li>{msg("An entry costs KSh 50, 100 or 250. You can enter each gameweek once, whatever the amount.")}</li>
      <li>{msg("Entries close at the official deadline. After it an entry can be neither made nor taken back.")}</li>
      <li>{msg("A prompt that you asked for before the deadline and pay within ten minutes after it still counts. Paid later, the money is in your wallet.")}</li>
    </ul>
    <h2>{msg("Leagues")}</h2>
    <ul>
      <li>{msg("Until the deadline groups are provisional. Then a draw makes the leagues, with ten players in most of them.")}</li>
      <li>{msg("Where entries do not divide by ten a league may have as few as five, and fewer only if fewer joined.")}</li>
      <li>{msg("If you are the only one at an amount, your entry is refunded to your wallet.")}</li>
      <li>{msg("Nobody chooses who meets whom. How a draw came about is published, and everybody can check it.")}</li>
    </ul>
    <h2>{msg("Prizes")}</h2>
    <ul>
      <li>{msg("A league pays what it collected less our fee. The fee is shown before you join.")}</li>
      <li>{msg("The most points win, then the most bench points. Who is still equal shares the prize in whole shillings.")}</li>
      <li>{msg("Prizes are paid on the official final points. A correction that is published after that changes nothing that was paid.")}</li>
      <li>{msg("If nothing is played in a gameweek, every entry is refunded.")}</li>
    </ul>
    <h2>{msg("Money")}</h2>
    <ul>
      <li>{msg("Your wallet holds your deposits, prizes and refunds. It earns no interest.")}</li>
      <li>{msg("You can withdraw from KSh 60 to your M-Pesa number. The amount leaves your wallet when you ask for it.")}</li>
      <li>{msg("M-Pesa's own charges are M-Pesa's.")}</li>
      <li>{msg("If a withdrawal is rejected, the whole amount is back in your wallet, with the reason.")}</li>
    </ul>
    <h2>{msg("Stopping")}</h2>
    <ul>
      <li>
        {rich(
          msg("On the page [Limits and breaks] you set limits for what you pay in, stake and lose, and you stop for a time. Self-exclusion is ended early by nobody."),
          (name) => <Link to="/limits">{name}</Link>,
        )}
      </li>
      <li>
        {rich(
          msg("On the page [My account] you see and save what we keep about you, and close the account once your wallet is empty and nothing is open."),
          (name) => <Link to="/account">{name}</Link>,
        )}
      </li>
    </ul>
    <h2>{msg("These terms")}</h2>
    <ul>
      <li>{msg("When the terms change you are asked to agree to the new ones before you enter or deposit again. Withdrawing never depends on it.")}</li>
      <li>{msg("An entry goes by the terms that you had agreed to when you made it.")}</li>
      <li>{msg("Earlier versions stay readable, and My account shows which ones you agreed to, and when.")}</li>
    </ul>
    <h2>{msg("When you disagree")}</h2>
    <p>{msg('Press "Something is wrong?" beside the payment, withdrawal, entry or league. We answer you there, and you can write again.')}</p>
    <h2>{msg("Us")}</h2>
    <p>
      {rich(
        msg("We are not connected with the Premier League or the official fantasy game. If something went wrong, write to us: [Contact]."),
        contactLink,
      )}
    </p>
  </>
);
