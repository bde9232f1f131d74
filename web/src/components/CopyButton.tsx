import { Button, VisuallyHidden } from "@aws-amplify/ui-react";
import { useState } from "react";
import { msg } from "../lib/i18n";

/** Copies a text where the browser lets it; the text is on the screen to be marked by hand as well. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<boolean>();
  const copy = async () => {
    // So that a second press is heard too.
    setCopied(undefined);
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch (error) {
      console.error(error);
      setCopied(false);
    }
  };
  const word = copied === undefined ? msg("Copy") : copied ? msg("Copied") : msg("Not copied");
  return (
    <>
      <Button size="small" onClick={() => void copy()} aria-label={copied === undefined ? label : `${word}: ${label}`}>{word}</Button>
      <VisuallyHidden role="status">{copied !== undefined && word}</VisuallyHidden>
    </>
  );
}
