import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useNotPlaying } from "../api/own-limits";
import { userQuery } from "../api/queries";
import { answerInWords } from "../api/refusal";
import { Notice } from "../components/Notice";
import { Problem } from "../components/Problem";
import { AutoCheckout } from "../features/entries/AutoCheckout";
import { PhoneDialog } from "../features/entries/PhoneDialog";
import { ProcessingOverlay } from "../features/entries/ProcessingOverlay";
import { SelectAmountDialog } from "../features/entries/SelectAmountDialog";
import { usePromptEntry } from "../features/entries/use-prompt-entry";
import type { Offer } from "../features/entries/Prize";
import { hasJoined, standingInWords, type Standing } from "../features/entries/standing";
import { alreadyJoined, useWalletEntry } from "../features/entries/use-wallet-entry";
import type { Gameweek } from "../features/gameweeks/use-gameweek";
import { useBalance } from "../api/use-balance";
import { WalletBox } from "../features/ledger/WalletBox";
import { ENTRY_AMOUNTS } from "../lib/amounts";
import { ksh } from "../lib/money";
import { currentSession } from "../lib/session";
import type { Dialogs } from "./use-dialogs";
import { msg, str } from "../lib/i18n";

type Props = {
  gameweek: Gameweek;
  /** What there is to join, with how many have: the player's own entry among them. */
  offers: readonly Offer[] | undefined;
  standing: Standing;
  dialogs: Dialogs;
  /** The wallet checkout's dialog is open: it has an address of its own. */
  selecting: boolean;
};

/** The two ways to pay for an entry, and the wallet beside them. Going back closes the wallet's dialog while the server decides: then its problem is told here. */
export function Checkout({ gameweek, offers, standing, dialogs, selecting }: Props) {
  const navigate = useNavigate();
  const [amount, setAmount] = useState<number | null>(null);
  const [notice, setNotice] = useState<string>();
  const { balance } = useBalance();
  const { closed, noPrompt, noWallet } = useWhyClosed(gameweek, standing, balance);
  const shared = { offers, feePercent: gameweek.status?.feePercent };

  const closeSelection = () => void navigate("/payment", { replace: true });
  const toLeagues = (paid: number) => void navigate(`/leagues?amount=${paid}`, { state: { joinedFor: paid, gameweek: gameweek.status?.gameweek, userId: currentSession()?.userId } });
  const prompt = usePromptEntry(toLeagues);
  const wallet = useWalletEntry({
    onJoined: toLeagues,
    onShort: (text) => {
      closeSelection();
      dialogs.open("deposit", text);
    },
    onAlreadyJoined: (text) => {
      closeSelection();
      setNotice(text);
    },
  });

  const forget = () => {
    setNotice(undefined);
    wallet.forget();
  };
  useForNextGameweek(gameweek, forget);

  const fromWallet = () => {
    forget();
    setAmount(null);
    void navigate("/checkout-wallet");
  };
  const byPrompt = { ...shared, closed: noPrompt, late: gameweek.late, busy: prompt.busy, onWallet: fromWallet };

  return (
    <>
      {notice && <Notice tone="error">{notice}</Notice>}
      {!selecting && wallet.problem && <Problem trouble={wallet.problem} />}
      <WalletBox closed={closed !== null} onTopUp={() => dialogs.open("typed-code")} onCheckout={fromWallet} />
      <AutoCheckout
        {...byPrompt}
        failed={gameweek.isError}
        passed={gameweek.status !== undefined && !gameweek.open}
        onChoose={(chosen) => {
          setNotice(undefined);
          prompt.forget();
          setAmount(chosen);
        }}
      />
      <SelectAmountDialog
        open={selecting}
        {...shared}
        closed={noWallet}
        balance={balance}
        busy={wallet.busy}
        problem={wallet.problem}
        onJoin={(chosen) => void wallet.join(chosen)}
        onClose={closeSelection}
      />
      <PhoneDialog
        amount={amount}
        {...byPrompt}
        problem={prompt.problem}
        onPay={(phone, paid) => amount !== null && void prompt.pay(phone, amount, paid)}
        onClose={() => setAmount(null)}
      />
      {(prompt.busy || wallet.busy) && <ProcessingOverlay step={wallet.busy ? "wallet" : prompt.step} paying={prompt.paying} />}
    </>
  );
}

/** Does it when another gameweek has come: what was said of the one before is not said of that. */
function useForNextGameweek({ status }: Gameweek, forget: () => void) {
  const [before, setBefore] = useState(status?.gameweek);
  if (before === status?.gameweek) return;
  setBefore(status?.gameweek);
  forget();
}

/** Why nobody can enter just now, and why not by a prompt or out of the wallet; null where they can, or where it is not known yet. */
function useWhyClosed(gameweek: Gameweek, standing: Standing, balance: number | null) {
  const { data: user } = useQuery(userQuery);
  const noTeam = user?.needsTeam ? msg("Link your team first. You can enter a league once it is linked.") : null;
  const closed = useNotPlaying() ?? whyClosed(gameweek, standing) ?? noTeam;
  // Who waits for a person is not asked to pay once more; what is in the wallet can be played with.
  const aside = standing.is === "waiting" && standing.aside ? standingInWords(standing, gameweek.open) : null;
  const isShort = balance !== null && balance < Math.min(...ENTRY_AMOUNTS);
  return { closed, noPrompt: closed ?? aside, noWallet: closed ?? (isShort ? aside : null) };
}

function whyClosed({ status, open }: Gameweek, standing: Standing): string | null {
  if (!status) return null;
  if (!status.gameweek) return msg("There is no gameweek to play just now.");
  if (!open) return msg("The deadline has passed.");
  return hasJoined(standing) ? `${alreadyJoined()} ${msg(str`Your entry: ${ksh(standing.amount)}.`)}` : (answerInWords(status.notice) ?? null);
}
