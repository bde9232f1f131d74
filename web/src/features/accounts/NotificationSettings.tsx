import { Button } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { explain, isCertain } from "../../api/refusal";
import { Card } from "../../components/Card";
import { ErrorState } from "../../components/ErrorState";
import { Notice } from "../../components/Notice";
import { language, msg } from "../../lib/i18n";
import { useSubmit } from "../../lib/use-submit";
import {
  KINDS,
  isMailedIfAsked,
  meaningOf,
  notificationsQuery,
  setNotifications,
  type Channel,
  type Kind,
  type NotificationChange,
  type NotificationSettings,
} from "./notifications";
import styles from "./NotificationSettings.module.css";
import { phoneState, turnOff, turnOn, type PhoneState } from "./phone";

const failure = () => msg("It could not be saved just now. Please try again.");

/** What a player is told of, on which way and in which language. */
export function NotificationSettings() {
  const { data: settings, isError, refetch } = useQuery(notificationsQuery);
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();
  if (isError && !settings) return <ErrorState text={msg("Your settings could not be read just now.")} onRetry={() => void refetch()} />;
  if (!settings) return <p>{msg("Loading...")}</p>;

  const save = (change: Partial<NotificationChange>) =>
    submit(async () => {
      setProblem(undefined);
      try {
        client.setQueryData(notificationsQuery.queryKey, await setNotifications(change));
      } catch (error) {
        const failed = failure();
        setProblem(isCertain(error) ? explain(error, { refused: failed, failed }) : failed);
      }
    });
  return (
    <>
      {problem && <Notice tone="error">{problem}</Notice>}
      <ThisPhone settings={settings} onChanged={() => refetch()} />
      <Card title={msg("On your phones")}>
        <Choices channel="push" kinds={KINDS} settings={settings} busy={busy} onChange={save} />
        <p className="quiet small">{msg("From ten at night to seven in the morning only a payment that you have just made is shown.")}</p>
      </Card>
      <Card title={msg("By mail")}>
        <Choices channel="mail" kinds={KINDS.filter((kind) => isMailedIfAsked(kind, settings))} settings={settings} busy={busy} onChange={save} />
        <p className="quiet small">{msg("Mails about prizes, refunds, withdrawals, corrections and security are always sent.")}</p>
      </Card>
      <Card title={msg("Language")}>
        <fieldset className={styles.choices ?? ""} aria-busy={busy}>
          <legend className="quiet small">{msg("Mails and notifications are written in")}</legend>
          {(["en", "sw"] as const).map((language) => (
            <label key={language} className={styles.choice} lang={language}>
              <input type="radio" name="language" checked={settings.language === language} onChange={() => void save({ language })} />
              {language === "en" ? "English" : "Kiswahili"}
            </label>
          ))}
        </fieldset>
      </Card>
    </>
  );
}

type ChoicesProps = {
  channel: Channel;
  kinds: readonly Kind[];
  settings: NotificationSettings;
  busy: boolean;
  onChange: (change: Partial<NotificationChange>) => Promise<void>;
};

/** While one is saved none is disabled: that would take the focus away from it. What is ticked meanwhile stays as it is. */
const Choices = ({ channel, kinds, settings, busy, onChange }: ChoicesProps) => (
  <fieldset className={styles.choices ?? ""} aria-busy={busy}>
    <legend className="quiet small">{msg("Tell me of")}</legend>
    {kinds.map((kind) => (
      <label key={kind} className={styles.choice}>
        <input
          type="checkbox"
          aria-disabled={busy}
          checked={settings[channel][kind] ?? false}
          onChange={(event) => void onChange({ [channel]: { [kind]: event.target.checked } })}
        />
        {meaningOf(kind)}
      </label>
    ))}
  </fieldset>
);

/** Whether this browser shows them: the browser is asked for that when the button is pressed, never before. */
function ThisPhone({ settings, onChanged }: { settings: NotificationSettings; onChanged: () => Promise<unknown> }) {
  const [state, setState] = useState<PhoneState>();
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();
  const known = settings.subscriptions.map(({ _id }) => _id).join();
  useEffect(() => {
    let left = false;
    const look = () =>
      void phoneState(known.split(",")).then(
        (found) => {
          if (left) return;
          setState(found);
          if (found !== "off") setProblem(undefined);
        },
        () => left || setState("none"),
      );
    look();
    // Who comes back may have allowed them in the browser's settings.
    document.addEventListener("visibilitychange", look);
    return () => {
      left = true;
      document.removeEventListener("visibilitychange", look);
    };
  }, [known]);

  const turn = (on: boolean) =>
    submit(async () => {
      setProblem(undefined);
      try {
        if (on) {
          if (!(await turnOn(settings.pushKey))) {
            const found = await phoneState(known.split(","));
            if (found === "off") setProblem(msg("Your browser asks whether we may show notifications. Press the button again, and allow it there."));
            return setState(found);
          }
          // Who turns them on for the first time wants some: all, until they choose, in the language that is read here.
          if (!Object.values(settings.push).includes(true)) {
            await setNotifications({ push: Object.fromEntries(KINDS.map((kind) => [kind, true])), language: language() });
          }
        } else await turnOff();
        await onChanged();
        setState(on ? "on" : "off");
      } catch (error) {
        console.error(error);
        setProblem(failure());
      }
    });

  return (
    <Card title={msg("On this phone")}>
      {problem && <Notice tone="error">{problem}</Notice>}
      {state === "on" && <p>{msg("Notifications are on here.")}</p>}
      {state === "off" && <p>{msg("Notifications are off here.")}</p>}
      {state === "denied" && <p>{msg("This browser does not let us show notifications. Allow them in its settings for this page, then come back.")}</p>}
      {state === "apple-tab" && (
        <p>{msg("On an iPhone or iPad notifications come only to the installed app: tap Share, then Add to Home Screen, and open it from there.")}</p>
      )}
      {state === "none" && <p>{msg("This browser shows no notifications.")}</p>}
      {(state === "on" || state === "off") && (
        <Button
          variation={state === "off" ? "primary" : "link"}
          isFullWidth
          isLoading={busy}
          loadingText={msg("One moment...")}
          isDisabled={busy}
          onClick={() => void turn(state === "off")}
        >
          {state === "off" ? msg("Turn on on this phone") : msg("Turn off on this phone")}
        </Button>
      )}
    </Card>
  );
}
