import { useEffect, useState } from "react";
import { api } from "../../../api/client";
import { answerOf } from "../../../api/refusal";
import { onStepUp } from "../../../api/step-up";
import { Dialog } from "../../../components/Dialog";
import { problemOf, useAct } from "../../../panel/use-act";
import { AuthCodeForm } from "./AuthCodeForm";

type Asking = { end: (given: boolean) => void };

/** Asks for a code of the authenticator app where an act wants one; the act goes on by itself then. */
export function StepUp() {
  const [asking, setAsking] = useState<Asking | null>(null);
  const { outcome, busy, act, forget } = useAct();
  useEffect(() => {
    let waits: Asking["end"] | undefined;
    const stop = onStepUp(
      () =>
        new Promise((end) => {
          waits = end;
          setAsking({ end });
        }),
    );
    // Whoever leaves the panel gives none: what waits for it does not wait for ever.
    return () => {
      stop();
      waits?.(false);
    };
  }, []);

  const close = (given: boolean) => {
    asking?.end(given);
    setAsking(null);
    forget();
  };
  const give = async (code: string) => {
    const given = await act(async () => {
      await answerOf(api.POST("/api/admin/step-up", { body: { code } }));
      return "The code is taken.";
    }, "The code was not taken.");
    if (given) close(true);
  };

  return (
    <Dialog open={asking !== null} title="Enter a code" onClose={() => close(false)} busy={busy}>
      <p>Acts about money need a fresh code. Enter the one that your authenticator app shows; it is good for five minutes.</p>
      <AuthCodeForm action="Go on" busy={busy} problem={problemOf(outcome)} onCode={(code) => void give(code)} />
    </Dialog>
  );
}
