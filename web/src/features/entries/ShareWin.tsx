import { Button } from "@aws-amplify/ui-react";
import { useEffect, useRef, useState } from "react";
import { Notice } from "../../components/Notice";
import { saveFile } from "../../lib/save-file";
import { useSession } from "../../lib/session";
import { draw, messageOf, pictureOf, SIZE } from "./win";
import type { Entry } from "./entries";
import styles from "./ShareWin.module.css";
import { msg, str } from "../../lib/i18n";

const TYPE = "image/png";

/** Whether the phone's own sheet takes a picture. */
const sharesFiles = () =>
  typeof navigator.canShare === "function" && navigator.canShare({ files: [new File([], "win.png", { type: TYPE })] });

const toBlob = (canvas: HTMLCanvasElement) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, TYPE));

/** A picture of a win, drawn here: it leaves the phone only where the player sends it. */
export function ShareWin({ entry }: { entry: Entry }) {
  const username = useSession()?.username ?? "";
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNamed, setNamed] = useState(false);
  const [problem, setProblem] = useState<string>();
  const message = messageOf(entry, location.origin);
  const name = `gameweek-${entry.number}.png`;

  useEffect(() => {
    if (canvas.current) draw(canvas.current, pictureOf(entry, isNamed ? username : null));
  }, [entry, isNamed, username]);

  const withPicture = async (give: (picture: Blob) => unknown) => {
    setProblem(undefined);
    const picture = canvas.current && (await toBlob(canvas.current));
    if (!picture) {
      setProblem(msg("The picture could not be made on this phone."));
      return;
    }
    try {
      await give(picture);
    } catch (error) {
      // Who closes the phone's sheet has changed their mind.
      if (error instanceof DOMException && error.name === "AbortError") return;
      console.error(error);
      setProblem(msg("This phone did not take the picture. Save it, and send it from your photos."));
    }
  };
  const share = (picture: Blob) => navigator.share({ files: [new File([picture], name, { type: TYPE })], text: message });

  return (
    <div className="stack">
      <canvas
        ref={canvas}
        width={SIZE}
        height={SIZE}
        className={styles.picture}
        role="img"
        aria-label={isNamed ? msg(str`The picture: ${message} By ${username}.`) : msg(str`The picture: ${message}`)}
      />
      <label className={styles.named}>
        <input type="checkbox" checked={isNamed} onChange={({ target }) => setNamed(target.checked)} />
        {msg(str`With my username, ${username}`)}
      </label>
      {problem && <Notice tone="error">{problem}</Notice>}
      {sharesFiles() && (
        <Button variation="primary" isFullWidth onClick={() => void withPicture(share)}>{msg("Share the picture")}</Button>
      )}
      <Button isFullWidth onClick={() => void withPicture((picture) => saveFile(name, [picture], TYPE))}>{msg("Save the picture")}</Button>
      <a className="link-row" href={`https://wa.me/?text=${encodeURIComponent(message)}`} target="_blank" rel="noreferrer">{msg("Send it in words by WhatsApp")}</a>
    </div>
  );
}
