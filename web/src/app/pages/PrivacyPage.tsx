import { Link } from "react-router";
import { TextLayout } from "../layouts/TextLayout";

export const PrivacyPage = () => (
  <TextLayout title="Privacy">
    <p className="quiet">What we know about you, why, and who sees it.</p>
    <h2>What we keep</h2>
    <ul>
      <li>Your email, username and team id. Your password is kept only in a form that nobody can read back.</li>
      <li>The phone numbers that you pay from or withdraw to, and M-Pesa's receipts.</li>
      <li>Your entries, prizes and every movement of your wallet.</li>
      <li>By which link you came to us, if by one. Whose link it is sees only how many came, in fives, and no names.</li>
    </ul>
    <h2>Who sees it</h2>
    <ul>
      <li>Other players see your username, your team id and your points.</li>
      <li>M-Pesa is told the phone number and the amount of a payment.</li>
      <li>The official fantasy game is asked for your team's public points, by its id. It is not told who you are.</li>
      <li>Nobody else. We sell nothing, and there are no advertisements or trackers here.</li>
    </ul>
    <h2>On this device</h2>
    <p>
      The browser keeps you logged in, and remembers the phone number that you last paid from. Logging out clears both.
    </p>
    <h2>Your rights</h2>
    <p>
      Under Kenya's Data Protection Act you can ask what we keep about you, have it corrected, and have it deleted as far
      as the law lets us: records of money have to be kept. Write to us: <Link to="/contact">Contact</Link>.
    </p>
  </TextLayout>
);
