import { Notice } from "./Notice";

/** What went wrong, in the words of its rule, and what became of the money. */
export type Trouble = { text: string; money?: string };

export const Problem = ({ trouble: { text, money } }: { trouble: Trouble }) => (
  <>
    <Notice tone="error">{text}</Notice>
    {money && <p className="small">{money}</p>}
  </>
);
