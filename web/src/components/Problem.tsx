import { Notice } from "./Notice";
import { PaybillAccount, type Paybill } from "./PaybillAccount";
import { msg } from "../lib/i18n";

/** What went wrong, in the words of its rule, what became of the money, and the other way where there is one. */
export type Trouble = { text: string; money?: string; paybill?: Paybill };

export const Problem = ({ trouble: { text, money, paybill } }: { trouble: Trouble }) => (
  <>
    <Notice tone="error">{text}</Notice>
    {money && <p className="small">{money}</p>}
    {paybill && (
      <div>
        <p className="small">{msg("Or pay by hand in M-Pesa; it is credited by itself:")}</p>
        <PaybillAccount paybill={paybill} />
      </div>
    )}
  </>
);
