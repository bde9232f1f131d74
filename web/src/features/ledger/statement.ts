import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { TRANSACTIONS } from "../../api/queries";
import { answerOf } from "../../api/refusal";

export type Statement = Schemas["YearlyStatement"];

/** The year, or the one that it is. What moves money has it read again, as the list of movements. */
export const statementQuery = (year: number | null) =>
  queryOptions({
    queryKey: [...TRANSACTIONS, "statement", year],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/me/statement", { params: { query: year === null ? {} : { year } }, signal })),
  });
