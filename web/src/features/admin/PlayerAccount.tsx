import { Button } from "@aws-amplify/ui-react";
import { useState } from "react";
import { Card } from "../../components/Card";
import { dayAndYear } from "../../lib/day-and-year";
import { ksh } from "../../lib/money";
import { ActNotice } from "../../panel/ActNotice";
import facts from "../../panel/Figures.module.css";
import { leagueName } from "../../panel/league-name";
import styles from "../../panel/Panel.module.css";
import { ReasonDialog } from "../../panel/ReasonDialog";
import { RefreshButton } from "../../panel/RefreshButton";
import { problemOf } from "../../panel/use-act";
import { useAsking } from "../../panel/use-asking";
import { useTimeOfYears } from "../../panel/use-time-of-years";
import { seasonName, type Change, type Correction, type Profile, type usePlayer } from "./players";
import { ChangeTeamDialog } from "./ChangeTeamDialog";

type AccountAct = "suspend" | "resume" | "freeze" | "unfreeze" | "age" | "aged" | "release" | "team" | "sessions" | "wallet";

const ASKS: Record<Exclude<AccountAct, "team" | "wallet">, { title: string; text: string; action: string; change: Change }> = {
  suspend: {
    title: "Suspend the player",
    text: "The player can log in and withdraw, and cannot enter. Entries that are made stay.",
    action: "Suspend",
    change: { suspended: true },
  },
  resume: { title: "End the suspension", text: "The player can enter again.", action: "End suspension", change: { suspended: false } },
  freeze: {
    title: "Freeze the account",
    text: "Every session ends, nobody logs in, and nothing is entered or paid out. Money that comes in is credited.",
    action: "Freeze",
    change: { frozen: true },
  },
  unfreeze: { title: "Unfreeze the account", text: "The player can log in, enter and withdraw again.", action: "Unfreeze", change: { frozen: false } },
  age: {
    title: "Ask for a proof of age",
    text: "Until it is given the player can withdraw, and neither enter nor deposit. The reason is mailed to the player.",
    action: "Ask for it",
    change: { ageProofWanted: true },
  },
  aged: {
    title: "The proof of age was given",
    text: "The player can enter and deposit again, and is told so by mail.",
    action: "It was given",
    change: { ageProofWanted: false },
  },
  release: {
    title: "Release the prizes",
    text: "What was won with a team that is not proved can be withdrawn. Look first who manages the team. What comes in meanwhile is not released.",
    action: "Release",
    change: { releasePrizes: true },
  },
  sessions: {
    title: "End all sessions",
    text: "The player is logged out on every device at once, and logs in again.",
    action: "End sessions",
    change: { endSessions: true },
  },
};

/** What keeps a player from playing, and an account that its player has closed from being erased, by the act that ends it. */
const KEEPS = { resume: "suspended", unfreeze: "frozen", aged: "ageProofWanted" } as const;

type Ending = keyof typeof KEEPS;

const ends = (act: AccountAct | null): act is Ending => act !== null && act in KEEPS;

/** What such an act does while something else keeps the player from playing. */
const STILL_KEPT: Record<Ending, string> = {
  resume: "The suspension ends. The player still cannot enter.",
  unfreeze: "The player can log in again, and still cannot enter.",
  aged: "The player still cannot enter. By mail they are told only that they have shown their age.",
};

/** What an act does to the player's account: `text`, unless that is closed or something else keeps the player from playing: who owes cannot enter. */
const doesTo = ({ player, owed }: Profile, act: AccountAct | null, text: string) => {
  if (!ends(act)) return text;
  const isLast = Object.values(KEEPS).every((mark) => mark === KEEPS[act] || !player[mark]);
  if (player.erasedAt) {
    const closed = "Its player has closed this account: this does not open it, and nobody can log in.";
    return isLast
      ? `${closed} From ${dayAndYear(new Date(player.erasedAt))} on everything personal is erased for good, within the hour. With KSh 60 or more in the wallet it is opened again instead: if somebody else has closed it, see to that first.`
      : closed;
  }
  return isLast && !player.stoppedUntil && owed === 0 ? text : STILL_KEPT[act];
};

type Props = { profile: Profile; player: ReturnType<typeof usePlayer>; correction: Correction };

/** Who a player is, and the account's changes: each asks for its reason. */
export function PlayerAccount({ profile, player: known, correction }: Props) {
  const { outcome, busy, forget, change, correct, refreshing, refresh } = known;
  const { asking, ask, close, closeAfter } = useAsking<AccountAct>(forget);
  const { player, unprovedPrizes } = profile;
  // As much as was shown when it was pressed: a prize that comes in then is looked at first.
  const [releasing, setReleasing] = useState(0);
  const asked = asking && asking !== "team" && asking !== "wallet" ? ASKS[asking] : null;
  const question = { busy, problem: problemOf(outcome), onClose: close };
  return (
    <Card title={player.username} aside={<RefreshButton busy={refreshing} onRefresh={refresh} />}>
      <ActNotice outcome={asking ? null : outcome} />
      <Warnings profile={profile} />
      <Facts profile={profile} />
      <div className={styles.choices}>
        <Button isDisabled={busy} onClick={() => ask(player.suspended ? "resume" : "suspend")}>
          {player.suspended ? "End suspension" : "Suspend"}
        </Button>
        <Button isDisabled={busy} onClick={() => ask(player.frozen ? "unfreeze" : "freeze")}>
          {player.frozen ? "Unfreeze" : "Freeze"}
        </Button>
        <Button isDisabled={busy} onClick={() => ask(player.ageProofWanted ? "aged" : "age")}>
          {player.ageProofWanted ? "Age was proved" : "Ask for proof of age"}
        </Button>
        <Button isDisabled={busy} onClick={() => ask("team")}>
          Change team
        </Button>
        {unprovedPrizes.length > 0 && (
          <Button
            isDisabled={busy}
            onClick={() => {
              setReleasing(unprovedPrizes.reduce((sum, { left }) => sum + left, 0));
              ask("release");
            }}
          >
            Release prizes
          </Button>
        )}
        <Button isDisabled={busy} onClick={() => ask("sessions")}>
          End sessions
        </Button>
        <Button isDisabled={busy} onClick={() => ask("wallet")}>
          Correct wallet
        </Button>
      </div>
      <ReasonDialog
        open={asked !== null}
        title={asked?.title ?? ""}
        text={asked ? `${player.username}${asking === "release" ? `, ${ksh(releasing)}` : ""}: ${doesTo(profile, asking, asked.text)}` : ""}
        action={asked?.action ?? ""}
        required
        missing="Give the reason: it is kept in the audit log."
        onGiven={(reason) => asked && void closeAfter(change(asking === "release" ? { ...asked.change, prizesLeft: releasing } : asked.change, reason))}
        {...question}
      />
      <ChangeTeamDialog
        open={asking === "team"}
        player={player}
        onGiven={(fplId, reason) => void closeAfter(change({ fplId }, reason))}
        {...question}
      />
      {correction.dialog({
        open: asking === "wallet",
        username: player.username,
        onGiven: (amount, reason) => void closeAfter(correct(amount, reason)),
        ...question,
      })}
    </Card>
  );
}

/** What keeps a player from something. */
const Warnings = ({ profile: { player, owed } }: { profile: Profile }) => (
  <>
      {player.closedAt && player.erasedAt && (
        <p className={styles.warning}>
          Closed by its player on {dayAndYear(new Date(player.closedAt))}: nobody logs in. Everything personal is erased from{" "}
          {dayAndYear(new Date(player.erasedAt))} on, unless the account is frozen, suspended or asked for a proof of age.
        </p>
      )}
      {player.suspended && <p className={styles.warning}>Suspended: can withdraw, and cannot enter.</p>}
      {player.frozen && <p className={styles.warning}>Frozen: nobody logs in, and nothing is entered or paid out.</p>}
      {player.ageProofWanted && (
        <p className={styles.warning}>Has to prove their age: can withdraw, and neither enter nor deposit.</p>
      )}
      {player.stoppedUntil && (
        <p className={styles.warning}>
          Has stopped playing until {dayAndYear(new Date(player.stoppedUntil))}: nobody can end that early.
        </p>
      )}
      {owed > 0 && (
        <p className={styles.warning}>
          Owes {ksh(owed)}: it was taken back after it was used. Whatever comes into the wallet pays it first; until then the
          player can neither enter nor withdraw.
        </p>
      )}
  </>
);

/** What is known of a player, as rows of a name and a value. */
function Facts({ profile }: { profile: Profile }) {
  const { player, wallet, phones, referral, passwordResetAt, season, needsTeam, unprovedPrizes } = profile;
  const at = useTimeOfYears();
  return (
    <dl className={facts.standing}>
      <Fact name="Wallet" value={ksh(wallet)} />
      <Fact name="Email" value={player.email} />
      <Fact name="FPL ID" value={player.fplId ? `${player.fplId}${player.teamName ? `, ${player.teamName}` : ""}` : "none"} />
      <Fact name="Season" value={`${seasonName(season)}${needsTeam ? ": over, a new team is needed" : ""}`} />
      <Fact name="Phones" value={phones.join(", ") || "none yet"} />
      <Fact name="Role" value={player.role} />
      <Fact name="Registered" value={at(player.createdAt)} />
      {referral && <Fact name="Came by the link" value={referral} />}
      {passwordResetAt && <Fact name="Password reset" value={at(passwordResetAt)} />}
      {unprovedPrizes.length > 0 && (
        <Fact
          name="Prizes of teams not proved"
          value={unprovedPrizes.map(({ left, fplId, league }) => `${ksh(left)} (team ${fplId}, ${leagueName(league)})`).join(", ")}
        />
      )}
      <Fact name="Id" value={player._id} />
    </dl>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
