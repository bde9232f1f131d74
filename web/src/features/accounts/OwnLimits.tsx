import { Button } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { limitsQuery, type OwnLimit, type OwnLimits } from "../../api/own-limits";
import { userQuery } from "../../api/queries";
import { explain, isCertain } from "../../api/refusal";
import { Card } from "../../components/Card";
import { ErrorState } from "../../components/ErrorState";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { msg, str } from "../../lib/i18n";
import { ksh } from "../../lib/money";
import { errorOf } from "../../lib/parsed";
import { dayName, eastAfricaTime } from "../../lib/time";
import { useSubmit } from "../../lib/use-submit";
import { confirmRaise, nameOf, readLimit, setLimit } from "./own-limits";
import styles from "./OwnLimits.module.css";

/** What a player pays in, stakes and loses at the most: each limit is set by itself. */
export function OwnLimits() {
  const { data, isError, refetch } = useQuery(limitsQuery);
  if (isError && !data) return <ErrorState text={msg("Your limits could not be read just now.")} onRetry={() => void refetch()} />;
  if (!data) return <p>{msg("Loading...")}</p>;
  return (
    <Card title={msg("Your limits")}>
      <p className="small">
        {msg("A lower limit counts at once. A higher one, or none, counts 24 hours after you asked for it, once you have confirmed it here. Money that you send to the paybill by hand cannot be refused; it counts.")}
      </p>
      <ul className={styles.limits ?? ""}>
        {data.limits.map((limit) => (
          <li key={limit.limit}>
            <Limit limit={limit} />
          </li>
        ))}
      </ul>
      <p className="quiet small">
        {msg("A day begins at midnight, a week on Monday, in Kenya. Losses are entries less prizes and refunds; an entry that is refunded stays counted among the entries.")}
      </p>
    </Card>
  );
}

function Limit({ limit: { limit, amount, used, left, next, raise } }: { limit: OwnLimit }) {
  const client = useQueryClient();
  const inForce = amount === null || amount === undefined ? "" : String(amount);
  const [typed, setTyped] = useState(inForce);
  // Confirmed, or changed on another phone: what was in the field is not the limit any more.
  const [before, setBefore] = useState(inForce);
  if (before !== inForce) {
    setBefore(inForce);
    setTyped(inForce);
  }
  const [said, setSaid] = useState<{ tone: "error" | "success"; text: string }>();
  const { busy, submit } = useSubmit();
  const read = readLimit(typed);

  const save = (change: () => Promise<OwnLimits>, done: (now: OwnLimit | undefined) => string) =>
    submit(async () => {
      setSaid(undefined);
      try {
        const now = await change();
        client.setQueryData(limitsQuery.queryKey, now);
        void client.invalidateQueries({ queryKey: userQuery.queryKey });
        setSaid({ tone: "success", text: done(now.limits.find((one) => one.limit === limit)) });
      } catch (error) {
        const refused = msg("It could not be saved just now. Please try again.");
        const perhapsSaved = msg("No clear answer came. See whether the limit has changed; if not, please try again.");
        setSaid({ tone: "error", text: isCertain(error) ? explain(error, { refused, failed: perhapsSaved }) : perhapsSaved });
        if (isCertain(error)) return;
        for (const { queryKey } of [limitsQuery, userQuery]) void client.invalidateQueries({ queryKey });
      }
    });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (read.ok) void save(() => setLimit(limit, read.value), (now) => (now?.raise ? msg("Noted. Come back to confirm it.") : msg("It counts from now on.")));
  };

  return (
    <form className={styles.limit ?? ""} onSubmit={onSubmit} noValidate aria-label={nameOf(limit)}>
      <Field
        label={msg(str`${nameOf(limit)} (KSh)`)}
        value={typed}
        onChange={setTyped}
        error={errorOf(read)}
        hint={hintOf(used, left ?? null, next)}
        input={{ inputMode: "numeric", autoComplete: "off", name: limit, placeholder: msg("No limit") }}
      />
      <Button type="submit" isDisabled={busy} isLoading={busy} loadingText={msg("One moment...")}>{msg("Save")}</Button>
      {said && <Notice tone={said.tone}>{said.text}</Notice>}
      {raise && (
        <div className={styles.raise ?? ""}>
          <p className="small">
            {raise.to === null || raise.to === undefined
              ? msg(str`You asked for no limit here. It can be confirmed from ${eastAfricaTime(new Date(raise.confirmFrom))}.`)
              : msg(str`You asked for ${ksh(raise.to)}. It can be confirmed from ${eastAfricaTime(new Date(raise.confirmFrom))}.`)}
          </p>
          <Button variation="link" isDisabled={busy} onClick={() => void save(() => confirmRaise(limit), () => msg("It counts from now on."))}>
            {msg("Confirm the higher limit")}
          </Button>
        </div>
      )}
    </form>
  );
}

function hintOf(used: number, left: number | null, next: string): string {
  const spent = ksh(Math.max(0, used));
  if (left === null) return msg(str`Used so far: ${spent}.`);
  return msg(str`Used so far: ${spent}. Left until ${dayName(next)}: ${ksh(left)}.`);
}
