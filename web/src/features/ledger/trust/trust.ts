import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { answerOf } from "../../../api/refusal";

export type Trust = Schemas["TrustReport"];
export type Sums = Schemas["TrustSums"];
export type TrustGameweek = Schemas["TrustGameweek"];
export type Root = Schemas["PublishedRoot"];
export type Proof = Schemas["BalanceProof"];

export const trustQuery = queryOptions({
  queryKey: ["trust"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/trust", { signal })),
  staleTime: 60_000,
});

export const proofQuery = queryOptions({
  queryKey: ["proof"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/proof", { signal })),
  staleTime: 60_000,
});
