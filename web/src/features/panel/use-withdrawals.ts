import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import { answerOf, explain } from "../../api/refusal";

const withdrawalsQuery = queryOptions({
  queryKey: ["withdrawals"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/withdraw", { signal })),
  refetchInterval: 30_000,
});

/** The requests for money out, and marking one as done. */
export function useWithdrawals() {
  const client = useQueryClient();
  const { data, isError, refetch } = useQuery(withdrawalsQuery);
  const [marking, setMarking] = useState<string>();
  const [problem, setProblem] = useState<string>();

  const markDone = async (id: string) => {
    if (marking !== undefined) return;
    setMarking(id);
    setProblem(undefined);
    try {
      await answerOf(api.PUT("/api/withdraw/{id}", { params: { path: { id } }, body: { status: "done" } }));
      client.setQueryData(withdrawalsQuery.queryKey, (list) => list?.filter((item) => item._id !== id));
    } catch (error) {
      console.error(error);
      const text = "The withdrawal could not be marked as done. Nothing has changed.";
      setProblem(explain(error, { refused: text, failed: "No answer came. Look at the list again." }));
    } finally {
      setMarking(undefined);
      await client.invalidateQueries({ queryKey: withdrawalsQuery.queryKey });
    }
  };

  // Done is done: it has left the list, whatever the answer still carries.
  const withdrawals = data?.filter((item) => item.status !== "done");
  return { withdrawals, isError: isError && !data, refetch, marking, problem, markDone };
}
