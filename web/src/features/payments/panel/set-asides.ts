import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { listQuery, useList } from "../../../api/list";
import { answerOf } from "../../../api/refusal";
import { useExcise } from "../../../api/use-excise";
import { ksh } from "../../../lib/money";
import { unlessProposed } from "../../../panel/unless-proposed";
import { useAct } from "../../../panel/use-act";
import { creditedInWords, lessExcise } from "./excise";

export type SetAside = Schemas["SetAsideItem"];
export type CaseAct = "credit" | "dismiss" | "paid" | "return";

export const setAsidesQuery = listQuery<SetAside>(
  ["set-asides"],
  (query, signal) => api.GET("/api/admin/set-asides", { params: { query }, signal }),
  60_000,
);
export const setAsideId = (item: SetAside) => item._id;

/** `percent`: of what is credited, the excise. */
type Words = {
  name: string;
  title: string;
  does: (item: SetAside, percent: number | null) => string;
  said: (item: SetAside, percent: number | null) => string;
};

/** Dismissing what has ended only takes it off the list. */
const isOver = ({ state }: SetAside) => !["SET_ASIDE", "PENDING"].includes(state);

export const ACTS: Record<CaseAct, Words> = {
  credit: {
    name: "Credit",
    title: "Credit the payment",
    does: ({ username }, percent) =>
      `The wallet of ${username} is credited with what M-Pesa received${lessExcise(percent)}. No entry is made: the player can join with it. This is not taken back.`,
    said: ({ username, creditedAmount, amount }, percent) => creditedInWords(creditedAmount ?? amount, percent, `to ${username}`),
  },
  dismiss: {
    name: "Dismiss",
    title: "Dismiss the case",
    does: (item) =>
      isOver(item) ? "It leaves this list as seen. No money moves." : `Nothing is credited to ${item.username}, for good. Players read the reason.`,
    said: ({ state, username }) =>
      state === "DISMISSED" ? `Dismissed: nothing was credited to ${username} by this.` : "Seen: it has left the list.",
  },
  paid: {
    name: "It was paid",
    title: "The payout was made",
    does: ({ amount, pays, phone, username }) =>
      `M-Pesa's portal shows that ${ksh(pays ?? amount)} was paid to ${phone}. The withdrawal of ${username} is done; this is not taken back.`,
    said: ({ amount, username }) => `The withdrawal of ${ksh(amount)} by ${username} is done.`,
  },
  return: {
    name: "Return the money",
    title: "The payout was not made",
    does: ({ amount, username }) =>
      `M-Pesa's portal shows that it was not paid. ${ksh(amount)} goes back to ${username}, who reads the reason; what they owe is paid of it first. This is not taken back.`,
    said: ({ amount, username }) => `${ksh(amount)} has gone back to ${username}; what they owe is paid of it first.`,
  },
};

/** What can be done with a case, as far as this page knows how. */
export const actsOf = ({ acts }: SetAside) => acts.filter((act): act is CaseAct => act in ACTS);

/** By what else its receipt was credited, where it was; null of its own posting. */
export const creditedElsewhere = ({ _id, creditedBy }: SetAside) => (creditedBy && creditedBy !== `deposit#${_id}` ? creditedBy : null);

/** What the figures say: asked for, reported, credited. */
export function figuresOf({ kind, amount, pays, entryAmount, reportedAmount, creditedAmount }: SetAside): string {
  const asked = kind === "payout" ? `${ksh(pays ?? amount)} to be paid out` : `${ksh(amount)} asked for`;
  return [
    entryAmount ? `${asked}, an entry of ${ksh(entryAmount)}` : asked,
    pays && pays < amount ? `${ksh(amount)} asked for, the rest is tax` : null,
    reportedAmount ? `M-Pesa reports ${ksh(reportedAmount)}` : null,
    creditedAmount ? `${ksh(creditedAmount)} credited` : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What was heard of a case and done about it, read while it is wanted. */
export function useStory(id: string, wanted: boolean) {
  const { data, isError } = useQuery({
    queryKey: [...setAsidesQuery.queryKey, id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/set-asides/{id}", { params: { path: { id } }, signal })),
    enabled: wanted,
  });
  return { events: data?.story, failed: isError };
}

/** The cases, and closing one. */
export function useSetAsides() {
  const client = useQueryClient();
  const list = useList(setAsidesQuery, setAsideId);
  const percent = useExcise();
  const { outcome, busy, act, forget } = useAct();

  const decide = async (item: SetAside, body: Schemas["SetAsideDecision"] & { act: CaseAct }) => {
    const done = await act(async () => {
      const call = api.POST("/api/admin/set-asides/{id}", { params: { path: { id: item._id } }, body });
      return unlessProposed(await answerOf(call), (now) => ACTS[body.act].said(now, percent));
    }, "It could not be closed. Nothing has changed.");
    void client.invalidateQueries({ queryKey: setAsidesQuery.queryKey });
    return done;
  };

  return { list, outcome, busy, forget, decide };
}
