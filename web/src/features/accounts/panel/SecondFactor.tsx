import { Button } from "@aws-amplify/ui-react";
import { useEffect, useState } from "react";
import type { Schemas } from "../../../api/client";
import { Card } from "../../../components/Card";
import { CopyButton } from "../../../components/CopyButton";
import { Dialog } from "../../../components/Dialog";
import { ErrorState } from "../../../components/ErrorState";
import { Notice } from "../../../components/Notice";
import { Skeleton } from "../../../components/Skeleton";
import { saveFile } from "../../../lib/save-file";
import { ActNotice } from "../../../panel/ActNotice";
import { Stale } from "../../../panel/Stale";
import { problemOf } from "../../../panel/use-act";
import { useTimeOfYears } from "../../../panel/use-time-of-years";
import { AuthCodeForm } from "./AuthCodeForm";
import { OwnPasswordForm } from "./OwnPasswordForm";
import { FEW, useSecondFactor } from "./second-factor";
import styles from "./SecondFactor.module.css";

type Asked = "renew" | "remove";

/** Whether the admin's own log-in asks for a code of an authenticator app. */
export function SecondFactor() {
  const { factor, failed, stale, refresh, enrolment: begun, codesLost, recoveryCodes, kept, giveUp, outcome, busy, forget, start, confirm, renew, remove } =
    useSecondFactor();
  const enrolment = codesLost ? null : begun;
  const [asking, setAsking] = useState<Asked | null>(null);
  const problem = problemOf(outcome);
  const asks = asking !== null || enrolment !== null || factor?.enrolled === false;

  const ask = (what: Asked) => {
    forget();
    setAsking(what);
  };
  const close = () => setAsking(null);

  return (
    <Card title="Code at log-in">
      <ActNotice outcome={recoveryCodes || ((asks || codesLost) && problem) ? null : outcome} />
      {codesLost && (
        <Notice tone="warning">
          No answer came, and it is on: your log-in asks for a code. The recovery codes were in that answer. Make new ones.
        </Notice>
      )}
      {stale && <Stale />}
      {failed && <ErrorState text="How your log-in stands could not be read just now." onRetry={refresh} />}
      {!factor && !failed && <Skeleton height="6rem" />}
      {enrolment && (
        <>
          <Picture enrolment={enrolment} />
          <AuthCodeForm action="Turn on" busy={busy} problem={problem} onCode={(code) => void confirm(code)} />
          <Button variation="link" isDisabled={busy} onClick={giveUp}>
            Not now
          </Button>
        </>
      )}
      {factor && !enrolment && !recoveryCodes && (
        <>
          <Standing factor={factor} />
          {factor.enrolled ? (
            <Acts busy={busy} onAsk={ask} />
          ) : (
            <OwnPasswordForm action="Set up" busy={busy} problem={problem} onPassword={(password) => void start(password)} />
          )}
        </>
      )}
      <Dialog open={recoveryCodes !== null} title="Keep these recovery codes">
        {recoveryCodes && <Codes codes={recoveryCodes} onKept={kept} />}
      </Dialog>
      <Dialog open={asking === "renew"} title="New recovery codes" onClose={close} busy={busy}>
        <p>Those from before are good for nothing any more. It takes a code of your app, or one of the recovery codes that are left. If no answer comes, make new ones once more.</p>
        <AuthCodeForm
          action="Make new ones"
          busy={busy}
          problem={problem}
          onCode={(code) => void renew(code).then((done) => done && close())}
        />
      </Dialog>
      <Dialog open={asking === "remove"} title="Turn off the code at log-in" onClose={close} busy={busy}>
        <p>Your email and password alone will open the panel again. It takes a code to turn it off.</p>
        <AuthCodeForm
          action="Turn off"
          busy={busy}
          problem={problem}
          onCode={(code) => void remove(code).then((done) => done && close())}
        />
      </Dialog>
    </Card>
  );
}

const Acts = ({ busy, onAsk }: { busy: boolean; onAsk: (what: Asked) => void }) => (
  <div className={styles.acts}>
    <Button isDisabled={busy} onClick={() => onAsk("renew")}>
      New recovery codes
    </Button>
    <Button isDisabled={busy} onClick={() => onAsk("remove")}>
      Turn off
    </Button>
  </div>
);

function Standing({ factor: { enrolled, since, recoveryCodesLeft } }: { factor: Schemas["SecondFactor"] }) {
  const at = useTimeOfYears();
  return enrolled ? (
    <>
      <p>
        On{since && ` since ${at(since)}`}. {recoveryCodesLeft} recovery {recoveryCodesLeft === 1 ? "code is" : "codes are"} left.
      </p>
      {recoveryCodesLeft < FEW && (
        <p className={styles.few}>Make new recovery codes before the last one is used.</p>
      )}
    </>
  ) : (
    <p>Off. With an authenticator app on your phone, nobody opens the panel with your password alone.</p>
  );
}

/** The secret as a picture, and in letters for who cannot take one. Shown this once. */
const Picture = ({ enrolment: { qrSvg, secret } }: { enrolment: Schemas["Enrolment"] }) => (
  <>
    <p>Scan this with your authenticator app, or type the key into it. Then enter the code that the app shows.</p>
    <img className={styles.qr} src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`} alt="QR code for your authenticator app" width="208" height="208" />
    <div className={styles.key}>
      <code>{secret}</code>
      <CopyButton text={secret} label="Copy the key" />
    </div>
  </>
);

/** Asks before the page is left or loaded anew. */
function askBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
  // Browsers before 2023 ask by this alone.
  event.returnValue = "ask";
}

function Codes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const text = codes.join("\n");
  useEffect(() => {
    window.addEventListener("beforeunload", askBeforeLeaving);
    return () => window.removeEventListener("beforeunload", askBeforeLeaving);
  }, []);
  return (
    <>
      <p>
        <b>Write them down now: they are not shown again.</b> Each opens your account once if your phone is lost.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.acts}>
        <CopyButton text={text} label="Copy the recovery codes" />
        <Button size="small" onClick={() => saveFile("recovery-codes.txt", [text, "\n"], "text/plain")}>
          Save as a file
        </Button>
      </div>
      <Button variation="primary" onClick={onKept}>
        I have kept them
      </Button>
    </>
  );
}
