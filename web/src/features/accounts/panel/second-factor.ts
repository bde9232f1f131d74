import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "../../../api/client";
import { answerOf } from "../../../api/refusal";
import { parsed, refused, type Parsed } from "../../../lib/parsed";
import { useAct } from "../../../panel/use-act";
import { bringCodes, forgetCodes, useUnkeptCodes } from "./recovery-codes";

const secondFactorQuery = queryOptions({
  queryKey: ["second-factor"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/totp", { signal })),
});

/** So few recovery codes left are worth a word. */
export const FEW = 3;

export function readCode(typed: string): Parsed<string> {
  const text = typed.trim();
  return text === "" ? refused("Enter the code from your authenticator app.") : parsed(text);
}

/** The admin's own second factor: setting it up, the codes that are shown once, and taking it away. */
export function useSecondFactor() {
  const client = useQueryClient();
  const { data, isError, isRefetchError, refetch } = useQuery(secondFactorQuery);
  const [enrolment, setEnrolment] = useState<Schemas["Enrolment"] | null>(null);
  // The password of this setting up: it is asked for at its start and at its end.
  const [password, setPassword] = useState("");
  const recoveryCodes = useUnkeptCodes();
  const { outcome, busy, act, forget } = useAct();
  const reread = () => void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  const giveUp = () => {
    setEnrolment(null);
    setPassword("");
  };

  const start = (password: string) =>
    act(async () => {
      setEnrolment(await answerOf(api.POST("/api/admin/totp", { body: { password } })));
      setPassword(password);
      return "Scan the picture, then enter the code that the app shows.";
    }, "It could not be begun. Nothing has changed.");

  const confirm = async (code: string) => {
    const done = await act(async () => {
      await bringCodes(() => answerOf(api.POST("/api/admin/totp/confirm", { body: { password, code } })));
      giveUp();
      return "From now on your log-in asks for a code. Your other sessions have ended.";
    }, "The code was not taken. Nothing has changed.");
    reread();
    return done;
  };

  const renew = async (code: string) => {
    const done = await act(async () => {
      await bringCodes(() => answerOf(api.POST("/api/admin/totp/recovery-codes", { body: { code } })));
      giveUp();
      return "You have new recovery codes. Those from before are good for nothing.";
    }, "The code was not taken. Your recovery codes are those from before.");
    reread();
    return done;
  };

  const remove = async (code: string) => {
    const done = await act(async () => {
      client.setQueryData(secondFactorQuery.queryKey, await answerOf(api.POST("/api/admin/totp/remove", { body: { code } })));
      forgetCodes();
      giveUp();
      return "Your log-in no longer asks for a code. Your other sessions have ended.";
    }, "The code was not taken. Nothing has changed.");
    reread();
    return done;
  };

  return {
    factor: data,
    failed: isError && !data,
    stale: isRefetchError,
    refresh: () => void refetch(),
    enrolment,
    /** It is on all the same: the answer that had the recovery codes did not come. */
    codesLost: enrolment !== null && !busy && data?.enrolled === true,
    recoveryCodes,
    kept: forgetCodes,
    giveUp: () => {
      giveUp();
      forget();
    },
    outcome,
    busy,
    forget,
    start,
    confirm,
    renew,
    remove,
  };
}
