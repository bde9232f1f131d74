import { Button } from "@aws-amplify/ui-react";
import { useRef, useState, type SubmitEvent } from "react";
import { explain } from "../../api/refusal";
import { SubmitKey } from "../../api/submit-key";
import { Notice } from "../../components/Notice";
import { TextBox } from "../../components/TextBox";
import { msg } from "../../lib/i18n";
import { useSubmit } from "../../lib/use-submit";
import { LONGEST_TEXT } from "./cases";

type Props = { label: string; send: (text: string, key: string) => Promise<void> };

/** A message of the player's; it stays in its field until it is taken. */
export function WriteCase({ label, send }: Props) {
  const key = useRef(new SubmitKey());
  const [text, setText] = useState("");
  const [missing, setMissing] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(undefined);
    setMissing(text.trim() === "");
    if (text.trim() === "") return;
    void submit(async () => {
      try {
        await key.current.submit(text, (idempotencyKey) => send(text, idempotencyKey));
        setText("");
      } catch (error) {
        const failed = msg("It could not be sent just now. Please try again.");
        setProblem(explain(error, { refused: failed, failed }));
      }
    });
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label={label}>
      <TextBox
        label={label}
        value={text}
        onChange={setText}
        longest={LONGEST_TEXT}
        error={missing ? msg("Write what is wrong.") : undefined}
      />
      <p className="quiet small">{msg("Never write your PIN or your password here. We do not ask for them.")}</p>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isFullWidth isLoading={busy} loadingText={msg("One moment...")} isDisabled={busy}>
        {msg("Send")}
      </Button>
    </form>
  );
}
