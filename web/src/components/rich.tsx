import { Fragment, type ReactNode } from "react";

/** A text with its parts in square brackets shown by the given functions, one for each, in the text's order. */
export function rich(text: string, ...shown: readonly ((part: string) => ReactNode)[]): ReactNode {
  // Every second piece is what stood in brackets.
  return text.split(/\[(.*?)\]/).map((piece, i) => <Fragment key={i}>{i % 2 === 1 ? shown[(i - 1) / 2]?.(piece) : piece}</Fragment>);
}

export const bold = (part: string) => <b>{part}</b>;
