import { Button } from "@aws-amplify/ui-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { useNotPlaying } from "../../api/own-limits";
import { userQuery } from "../../api/queries";
import { asksForCode, explain, isCertain } from "../../api/refusal";
import { Card } from "../../components/Card";
import { Confirm } from "../../components/Confirm";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { msg } from "../../lib/i18n";
import { useSubmit } from "../../lib/use-submit";
import { STOPS, stopName, stopPlaying, type Stop } from "./stopping";
import styles from "./OwnLimits.module.css";

/** A break, or self-exclusion: asked once more before it begins, for nobody ends it. */
export function StopPlaying() {
  const client = useQueryClient();
  const notPlaying = useNotPlaying();
  const [stop, setStop] = useState<Stop>("1d");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [codeWanted, setCodeWanted] = useState(false);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(password === "" ? msg("Enter your password.") : undefined);
    setAsking(password !== "");
  };
  const begin = () =>
    submit(async () => {
      setAsking(false);
      try {
        await stopPlaying(stop, password, code);
        setPassword("");
        setCode("");
        await client.invalidateQueries({ queryKey: userQuery.queryKey });
      } catch (error) {
        const refused = msg("It could not be saved just now. Please try again.");
        const perhapsBegun = msg("No clear answer came. If it has begun, this page says so above; if not, please try again.");
        setProblem(isCertain(error) ? explain(error, { refused, failed: perhapsBegun }) : perhapsBegun);
        if (!isCertain(error)) void client.invalidateQueries({ queryKey: userQuery.queryKey });
        setCodeWanted(codeWanted || asksForCode(error));
      }
    });

  return (
    <Card title={msg("Stop playing for a time")}>
      {notPlaying && <Notice tone="info">{notPlaying}</Notice>}
      <p className="small">
        {msg("Nobody can end it early, we neither. You can log in and withdraw; you cannot enter or deposit, and we do not invite you. What you have entered already is played. Nobody can play with your phone, email or team under another account.")}
      </p>
      <form className="form" onSubmit={onSubmit} noValidate>
        <fieldset className={styles.choices ?? ""} disabled={busy}>
          <legend className="quiet small">{msg("For how long")}</legend>
          {STOPS.map((one) => (
            <label key={one} className={styles.choice}>
              <input type="radio" name="stop" checked={stop === one} onChange={() => setStop(one)} />
              {stopName(one)}
            </label>
          ))}
        </fieldset>
        <Field label={msg("Your password")} value={password} onChange={setPassword} error={problem} secret input={{ name: "password" }} />
        {codeWanted && (
          <Field
            label={msg("Code from your authenticator app")}
            value={code}
            onChange={setCode}
            input={{ inputMode: "numeric", autoComplete: "one-time-code", name: "code" }}
          />
        )}
        <Button type="submit" isFullWidth isLoading={busy} loadingText={msg("One moment...")} isDisabled={busy}>{msg("Stop playing")}</Button>
      </form>
      <Confirm open={asking} title={stopName(stop)} action={msg("Stop now")} onConfirm={() => void begin()} onClose={() => setAsking(false)}>
        <p>{msg("It begins at once, and nobody can end it before its time.")}</p>
      </Confirm>
    </Card>
  );
}
