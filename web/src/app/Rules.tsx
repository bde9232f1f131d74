import { Card } from "../components/Card";
import styles from "./Rules.module.css";
import { msg } from "../lib/i18n";

/** The rules list of the main page (spec §1, §5). `deducted`: whether extra transfers cost points in this gameweek while it is `open`, and after that in the next one. */
export const Rules = ({ deducted, open }: { deducted: boolean; open: boolean }) => (
  <Card title={msg("Rules")}>
    <ul className={styles.rules}>
      <li>{msg("Pay an entry fee: a minimum of KSh 50, or the amount you desire (50, 100 or 250).")}</li>
      <li>{msg("You are placed at random into a league of 10 players who paid the same amount.")}</li>
      <li>{msg("Where the entries do not divide by ten, leagues of five to nine share the rest; fewer than ten entries make one league. One player alone gets the money back.")}</li>
      <li>{msg("The top scorer by official fantasy points wins the prize.")}</li>
      <li>{msg("Ties are broken by bench points. If it is still a tie, the win is shared.")}</li>
      <li>
        {deducted
          ? msg("Each extra transfer beyond the free ones reduces your gameweek points.")
          : open
            ? msg("Points that extra transfers cost are not deducted this gameweek.")
            : msg("Points that extra transfers cost are not deducted in the next gameweek.")}
      </li>
      <li>{msg("Leagues reset every week: one entry per player and gameweek.")}</li>
      <li>{msg("For players of 18 years or older. Play only with money you can afford to lose.")}</li>
    </ul>
  </Card>
);
