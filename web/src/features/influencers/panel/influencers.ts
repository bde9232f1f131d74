import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "../../../api/client";
import { listQuery, useList } from "../../../api/list";
import { answerOf, explain } from "../../../api/refusal";
import { useSubmit } from "../../../lib/use-submit";

export type Influencer = Schemas["InfluencerItem"];

const influencersQuery = listQuery<Influencer>(["influencers"], (query, signal) =>
  api.GET("/api/influencers", { params: { query }, signal }),
);
export const influencerId = (influencer: Influencer) => influencer.code;

export type Made = { name: string; referralLink: string };

/** The influencers with what came of their links, and making one. */
export function useInfluencers() {
  const client = useQueryClient();
  const list = useList(influencersQuery, influencerId);
  const [made, setMade] = useState<Made>();
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const create = (name: string, onMade: () => void) =>
    submit(async () => {
      setMade(undefined);
      setProblem(undefined);
      const failed = "Failed to create influencer.";
      try {
        setMade(await answerOf(api.POST("/api/influencer/create", { body: { name } })));
        onMade();
      } catch (error) {
        console.error(error);
        setProblem(explain(error, { refused: failed, failed }));
      }
      // Where no answer came it may have been made: then it is in the list.
      void client.invalidateQueries({ queryKey: influencersQuery.queryKey });
    });

  return { list, made, problem, busy, create };
}
