import styles from "./MoneyHelp.module.css";
import { msg } from "../../lib/i18n";

/** What people ask about money and M-Pesa, each with the next step. */
export const MoneyHelp = () => (
  <section className={styles.help} aria-label={msg("Help with M-Pesa")}>
    <h2>{msg("Help with M-Pesa")}</h2>
    <details>
      <summary>{msg("I sent money to a wrong account")}</summary>
      <p>{msg("An account number that is mistyped is nobody’s: the money waits. Press Top up, then type the code from M-Pesa’s message. If it was another player’s account, write to us with the code; if it was another paybill, ask Safaricom to take it back.")}</p>
    </details>
    <details>
      <summary>{msg("I am asked for a PIN, and I did not ask to pay")}</summary>
      <p>{msg("Cancel it. Without your PIN nothing is taken. The request shows as its account the name of the player who sent it, or a number of seven digits: write to us with what it shows. We never call or write to ask for a PIN. If you typed it already, the money went to that player’s wallet: write to us at once with the code from M-Pesa’s message.")}</p>
    </details>
    <details>
      <summary>{msg("I have lost my number, or it belongs to another player")}</summary>
      <p>{msg("Log in and pay to the paybill with your account: your profile shows both. The first M-Pesa request that you pay on a new number makes it yours. Write to us about the old one: we release it.")}</p>
    </details>
  </section>
);
