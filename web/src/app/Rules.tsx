import { Card } from "../components/Card";
import styles from "./Rules.module.css";
import { sentences } from "../lib/sentences";
import { msg, str } from "../lib/i18n";

type Props = {
  /** Whether extra transfers cost points in this gameweek while it is `open`, and after that in the next one. */
  deducted: boolean;
  open: boolean;
  /** The operator's share, where it is known. */
  feePercent: number | undefined;
};

/** What extra transfers cost. Until the gameweek is read, and with it the fee, only what the game itself has as its rule. */
function ofTransfers({ deducted, open, feePercent }: Props): string {
  if (feePercent === undefined || (open && deducted)) return msg("Each extra transfer beyond the free ones reduces your gameweek points.");
  if (open) return msg("Points that extra transfers cost are not deducted this gameweek.");
  return sentences(
    deducted
      ? msg("In the next gameweek each extra transfer beyond the free ones reduces your gameweek points.")
      : msg("Points that extra transfers cost are not deducted in the next gameweek."),
    msg("Each gameweek goes by what holds at its deadline."),
  );
}

/** The rules list of the main page (spec §1, §5). */
export const Rules = ({ deducted, open, feePercent }: Props) => (
  <Card title={msg("Rules")}>
    <ul className={styles.rules}>
      <li>{msg("Pay an entry fee: a minimum of KSh 50, or the amount you desire (50, 100 or 250).")}</li>
      <li>{msg("You are placed at random into a league of 10 players who paid the same amount.")}</li>
      <li>{msg("Where the entries do not divide by ten, leagues of five to nine share the rest; fewer than ten entries make one league. One player alone gets the money back.")}</li>
      <li>{msg("The top scorer by official fantasy points wins the prize.")}</li>
      {feePercent !== undefined && <li>{msg(str`A league pays ${100 - feePercent} % of what it collects. ${feePercent} % is our fee.`)}</li>}
      <li>{msg("Ties are broken by bench points. If it is still a tie, the win is shared.")}</li>
      <li>{ofTransfers({ deducted, open, feePercent })}</li>
      <li>{msg("Leagues reset every week: one entry per player and gameweek.")}</li>
      <li>{msg("For players of 18 years or older. Play only with money you can afford to lose.")}</li>
    </ul>
  </Card>
);
