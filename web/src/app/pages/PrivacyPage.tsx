import { rich } from "../../components/rich";
import { contactLink, TextLayout } from "../layouts/TextLayout";
import { msg } from "../../lib/i18n";

export const PrivacyPage = () => (
  <TextLayout title={msg("Privacy")}>
    <p className="quiet">{msg("What we know about you, why, and who sees it.")}</p>
    <h2>{msg("What we keep")}</h2>
    <ul>
      <li>{msg("Your email, username and team id. Your password is kept only in a form that nobody can read back.")}</li>
      <li>{msg("The phone numbers that you pay from or withdraw to, and M-Pesa's receipts.")}</li>
      <li>{msg("Your entries, prizes and every movement of your wallet.")}</li>
      <li>{msg("By which link you came to us, if by one. Whose link it is sees only how many came, in fives, and no names.")}</li>
      <li>{msg("What you tell us is wrong, and what we answer.")}</li>
      <li>{msg("The limits that you set, and until when you have stopped playing.")}</li>
      <li>{msg("Where you are logged in: since when, and the kind of device as far as the browser says it.")}</li>
    </ul>
    <h2>{msg("Who sees it")}</h2>
    <ul>
      <li>{msg("Anybody can read, without logging in, the leagues and how they were paid: your username, your team id, your points, your rank, and your prize or refund.")}</li>
      <li>{msg("Who works for us sees your account where they answer you or look into a payment; what they change is recorded.")}</li>
      <li>{msg("M-Pesa is told the phone number and the amount of a payment. Where it asks a phone to pay it is also told, as the account, your username, or your seven-digit account number if the name is not of letters and digits alone.")}</li>
      <li>{msg("The official fantasy game is asked for your team's public points, by its id. It is not told who you are.")}</li>
      <li>{msg("What we keep lies on Amazon's machines, and our mails go through its mail service (Amazon SES). Notifications go through the service of your browser's maker, such as Google, Apple or Mozilla, sealed so that it cannot read them.")}</li>
      <li>{msg("Nobody else. We sell nothing, and there are no advertisements or trackers here.")}</li>
    </ul>
    <h2>{msg("On this device")}</h2>
    <p>{msg("The browser keeps you logged in, and remembers the phone number that you last paid from, and a payment or withdrawal that got no answer. Logging out clears all of it. What stays is the language, and by your account’s id the gameweeks whose results you have seen.")}</p>
    <h2>{msg("Your rights")}</h2>
    <p>{msg("On the page My account you see and save everything that we keep about you, end sessions, and close the account. A week after closing, your name, email, numbers and messages are removed; movements of money, leagues and results stay without them.")}</p>
    <p>{msg("If you have stopped playing, your email, your numbers and your team stay marked as taken until that time is over, also after closing, so that nobody can play with them under another account. Then they are removed.")}</p>
    <p>
      {rich(
        msg("Under Kenya's Data Protection Act you can ask what we keep about you, have it corrected, and have it deleted as far as the law lets us: records of money have to be kept. Write to us: [Contact]."),
        contactLink,
      )}
    </p>
  </TextLayout>
);
