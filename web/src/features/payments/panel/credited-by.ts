import type { Schemas } from "../../../api/client";

const KINDS: Record<string, string> = {
  deposit: "a prompt",
  manual: "a typed code",
  paybill: "a payment to the paybill",
};

type CreditedTo = Schemas["CreditedTo"];

/** What a posting credited, in words: `a prompt` of `deposit#6f1e…`; one that is newer than this page by its own name. */
export const creditedBy = (posting: string) => KINDS[posting.split("#", 1)[0] ?? ""] ?? posting;

/** Who has the money of a receipt. An account that was erased has no name and no page: only its id is left. */
export const nameOf = ({ userId, username }: CreditedTo) => username || `a closed account (${userId})`;

/** What is said behind it of a payment that M-Pesa has taken back since. */
export const takenBack = ({ takenBackAt }: CreditedTo) => (takenBackAt ? ", and taken back by M-Pesa" : "");

/** What credited a receipt, and to whom: `a prompt, to otieno`. */
export const creditedInFull = (posting: string, to: CreditedTo | null | undefined) =>
  to ? `${creditedBy(posting)}, to ${nameOf(to)}${takenBack(to)}` : creditedBy(posting);
