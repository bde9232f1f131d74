import { useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { listQuery, useList } from "../../api/list";
import { answerOf } from "../../api/refusal";
import { ksh, parseAmount } from "../../lib/money";
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { useAct } from "./use-act";

export type ManualPayment = Schemas["ManualPaymentItem"];

const pendingQuery = listQuery<ManualPayment>(
  ["manual-payments"],
  (query, signal) => api.GET("/api/manual-payment/pending", { params: { query }, signal }),
  30_000,
);
export const paymentId = (payment: ManualPayment) => payment._id;

/** What an admin may confirm a payment with (spec section 5), in KES. */
export function readConfirmedAmount(typed: string): Parsed<number> {
  const amount = parseAmount(typed);
  return amount === null ? refused("Please enter a valid amount.") : parsed(amount);
}

/** The typed codes that wait, and what can be done with one. */
export function useManualPayments() {
  const client = useQueryClient();
  const list = useList(pendingQuery, paymentId);
  const { outcome, busy, act } = useAct();
  const reread = () => client.invalidateQueries({ queryKey: pendingQuery.queryKey });

  const confirm = async ({ _id, userId, username, mpesaCode }: ManualPayment, amount: number) => {
    await act(async () => {
      await answerOf(api.POST("/api/manual-payment/confirm", { body: { paymentId: _id, userId, amount } }));
      return `${ksh(amount)} is credited to ${username} for ${mpesaCode}.`;
    }, "The payment could not be confirmed. Nothing was credited.");
    await reread();
  };

  const reject = async ({ _id, username, mpesaCode }: ManualPayment, reason: string) => {
    const body = { paymentId: _id, ...(reason ? { reason } : {}) };
    await act(async () => {
      await answerOf(api.POST("/api/manual-payment/reject", { body }));
      return `${mpesaCode} of ${username} is rejected. Nothing was credited.`;
    }, "The payment could not be rejected. Nothing has changed.");
    await reread();
  };

  return { list, outcome, busy, confirm, reject };
}
