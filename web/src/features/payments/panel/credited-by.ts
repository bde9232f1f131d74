const KINDS: Record<string, string> = {
  deposit: "a prompt",
  manual: "a typed code",
  paybill: "a payment to the paybill",
};

/** What a posting credited, in words: `a prompt` of `deposit#6f1e…`; one that is newer than this page by its own name. */
export const creditedBy = (posting: string) => KINDS[posting.split("#", 1)[0] ?? ""] ?? posting;
