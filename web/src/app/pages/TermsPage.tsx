import { Link } from "react-router";
import { TextLayout } from "../layouts/TextLayout";

export const TermsPage = () => (
  <TextLayout title="Terms">
    <p className="quiet">In plain words, what you agree to when you register and play.</p>
    <h2>Who may play</h2>
    <ul>
      <li>You are 18 or older.</li>
      <li>You have one account, with your own team's id. An account that guesses an id gets deleted.</li>
    </ul>
    <h2>Entries</h2>
    <ul>
      <li>An entry costs KSh 50, 100 or 250. You can enter each gameweek once, whatever the amount.</li>
      <li>Entries close at the official deadline. After it an entry can be neither made nor taken back.</li>
      <li>
        A prompt that you asked for before the deadline and pay within ten minutes after it still counts. Paid later,
        the money is in your wallet.
      </li>
    </ul>
    <h2>Leagues</h2>
    <ul>
      <li>Until the deadline groups are provisional. Then a draw makes the leagues, with ten players in most of them.</li>
      <li>Where entries do not divide by ten a league may have as few as five, and fewer only if fewer joined.</li>
      <li>If you are the only one at an amount, your entry is refunded to your wallet.</li>
      <li>Nobody chooses who meets whom. How a draw came about is published, and everybody can check it.</li>
    </ul>
    <h2>Prizes</h2>
    <ul>
      <li>A league pays what it collected less our fee. The fee is shown before you join.</li>
      <li>The most points win, then the most bench points. Who is still equal shares the prize in whole shillings.</li>
      <li>
        Prizes are paid on the official final points. A correction that is published after that changes nothing that
        was paid.
      </li>
      <li>If nothing is played in a gameweek, every entry is refunded.</li>
    </ul>
    <h2>Money</h2>
    <ul>
      <li>Your wallet holds your deposits, prizes and refunds. It earns no interest.</li>
      <li>You can withdraw from KSh 60 to your M-Pesa number. The amount leaves your wallet when you ask for it.</li>
      <li>M-Pesa's own charges are M-Pesa's.</li>
      <li>If a withdrawal is rejected, the whole amount is back in your wallet, with the reason.</li>
    </ul>
    <h2>Us</h2>
    <p>
      We are not connected with the Premier League or the official fantasy game. If something went wrong, write to us:{" "}
      <Link to="/contact">Contact</Link>.
    </p>
  </TextLayout>
);
