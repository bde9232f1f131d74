import { Button } from "@aws-amplify/ui-react";
import { Card } from "../../../components/Card";
import { Notice } from "../../../components/Notice";
import { ListRows } from "../../../components/Rows";
import { count } from "../../../lib/count";
import { ksh } from "../../../lib/money";
import { eastAfricaTime } from "../../../lib/time";
import { ActNotice } from "../../../panel/ActNotice";
import { leagueName } from "../../../panel/league-name";
import styles from "../../../panel/Panel.module.css";
import { ReasonDialog } from "../../../panel/ReasonDialog";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { problemOf } from "../../../panel/use-act";
import { useAsking } from "../../../panel/use-asking";
import { useWaitingLeagues, type Decision, type WaitingLeague } from "./waiting-leagues";

const DECISIONS: Record<Exclude<Decision, "retry">, { name: string; text: string }> = {
  "official-figures": {
    name: "Settle officially",
    text: "The league is settled and paid on the official figures, though our own computation disagrees.",
  },
  "own-figures": {
    name: "Settle on our figures",
    text: "Teams that the official game knows no more are ranked on our own figures, last where there are none. Their stakes stay.",
  },
  refund: { name: "Refund all", text: "Every entry of the league is given back." },
  "leave-out": {
    name: "Leave out",
    text: "The official game has answered for nobody in the league: each of them is left out, and gets the entry back.",
  },
};
type Asking = { decision: Exclude<Decision, "retry">; league: WaitingLeague };

/** Leagues that cannot be paid yet: why, and the admin's ways out. */
export function WaitingLeagueList() {
  const { waiting, more, corrected, moreCorrected, failed, stale, refreshing, refresh, outcome, busy, forget, decide, isDecidable } =
    useWaitingLeagues();
  const { asking, ask, close, closeAfter } = useAsking<Asking>(forget);
  return (
    <Card anchor="waiting-leagues" title="Waiting Leagues" aside={<RefreshButton busy={refreshing} onRefresh={refresh} />}>
      <ActNotice outcome={asking ? null : outcome} />
      {stale && <Stale />}
      <ListRows
        list={{ items: waiting, failed, refresh, more }}
        unread="The waiting leagues could not be read just now."
        empty="No league waits."
        id={(league) => league._id}
      >
        {(league) => (
          <Row
            league={league}
            busy={busy}
            decidable={isDecidable(league)}
            onRetry={() => void decide(league, "retry", "")}
            onAsk={(decision) => ask({ decision, league })}
          />
        )}
      </ListRows>
      {corrected.map(({ _id, what }) => (
        <Notice key={_id} tone="info">
          {leagueName(_id)} was paid before a correction. {what} Nothing that was paid changes.
        </Notice>
      ))}
      {moreCorrected > 0 && <Notice tone="info">{moreCorrected} more leagues were paid before a correction.</Notice>}
      <ReasonDialog
        open={asking !== null}
        title={asking ? DECISIONS[asking.decision].name : ""}
        text={asking ? `${leagueName(asking.league._id)}, ${atStake(asking.league)}. ${DECISIONS[asking.decision].text} This is not taken back.` : ""}
        action="Decide"
        required
        busy={busy}
        problem={problemOf(outcome)}
        onClose={close}
        onGiven={(reason) => asking && void closeAfter(decide(asking.league, asking.decision, reason))}
      />
    </Card>
  );
}

/** Whom and what a decision is about: `2 players, KSh 100 of stakes: wanjiru, otieno`. */
function atStake({ teams, entryAmount }: WaitingLeague): string {
  const said = `${count(teams.length, "player")}, ${ksh(teams.length * entryAmount)} of stakes`;
  const names = teams.map(({ username }) => username).filter(Boolean);
  return names.length > 0 ? `${said}: ${names.join(", ")}` : said;
}

type RowProps = {
  league: WaitingLeague;
  busy: boolean;
  decidable: boolean;
  onRetry: () => void;
  onAsk: (decision: Exclude<Decision, "retry">) => void;
};

const Row = ({ league, busy, decidable, onRetry, onAsk }: RowProps) => (
  <>
    <div id={`league-${league._id}`} className={styles.what}>
      <p className={styles.main}>{leagueName(league._id)}</p>
      <p>{league.why}</p>
      <p className="quiet small">
        Waits since {eastAfricaTime(new Date(league.since))}
        {!decidable && `; can be decided from ${eastAfricaTime(new Date(league.decidableFrom))}`}
      </p>
    </div>
    <div className={styles.acts}>
      <Button isDisabled={busy} onClick={onRetry} aria-describedby={`league-${league._id}`}>
        Try again
      </Button>
      {decidable &&
        (["official-figures", "own-figures", "refund", "leave-out"] as const)
          .filter((decision) => league.decisions.includes(decision))
          .map((decision) => (
            <Button
              key={decision}
              isDisabled={busy}
              onClick={() => onAsk(decision)}
              aria-describedby={`league-${league._id}`}
            >
              {DECISIONS[decision].name}
            </Button>
          ))}
    </div>
  </>
);
