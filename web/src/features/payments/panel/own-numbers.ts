import { useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { answerOf } from "../../../api/refusal";
import { useAct } from "../../../panel/use-act";

/** Releasing a player's own number. */
export function useRelease({ _id: id, username }: Schemas["PlayerItem"]) {
  const client = useQueryClient();
  const { outcome, busy, act, forget } = useAct();

  const release = async (phone: string, reason: string) => {
    const done = await act(async () => {
      const call = api.POST("/api/admin/players/{id}/release-number", { params: { path: { id } }, body: { phone, reason } });
      await answerOf(call);
      return `${phone} is no longer ${username}'s.`;
    }, "It could not be released. Nothing has changed.");
    void client.invalidateQueries({ queryKey: ["player", id] });
    return done;
  };

  return { outcome, busy, forget, release };
}
