import { Button } from "@aws-amplify/ui-react";
import { useState } from "react";
import { Notice } from "../../components/Notice";
import { msg } from "../../lib/i18n";
import { useSubmit } from "../../lib/use-submit";
import { stopMails } from "./notifications";

/** The button behind the link in a mail: opening the link alone stops nothing, for mail programs open links by themselves. */
export function StopMails({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof stopMails>>>();
  const { busy, submit } = useSubmit();
  if (outcome && "kind" in outcome) return <Notice tone="success">{saysOf(outcome.kind)}</Notice>;
  return (
    <>
      {outcome && <Notice tone="error">{outcome.error}</Notice>}
      <Button
        variation="primary"
        isFullWidth
        isLoading={busy}
        loadingText={msg("One moment...")}
        isDisabled={busy}
        onClick={() => void submit(async () => setOutcome(await stopMails(token)))}
      >
        {msg("Stop these mails")}
      </Button>
    </>
  );
}

function saysOf(kind: string): string {
  if (kind === "deadline") return msg("We do not mail you before deadlines any more.");
  if (kind === "drawn") return msg("We do not mail you after the draw any more.");
  return msg("We do not mail you your results any more.");
}
