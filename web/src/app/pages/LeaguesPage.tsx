import { useState } from "react";
import { Menu } from "../../components/Menu";
import { AmountTabs } from "../../features/leagues/AmountTabs";
import { LeagueList } from "../../features/leagues/LeagueList";
import type { Amount } from "../../features/leagues/queries";
import { DeadlineCard } from "../../features/gameweek/DeadlineCard";
import { useGameweek } from "../../features/gameweek/use-gameweek";
import { useSession } from "../../lib/session";
import { AccountDialogs } from "../AccountDialogs";
import { GUESTS_MENU, PLAYERS_MENU } from "../menus";
import { BarButton, ProfileButton, Shell } from "../Shell";
import { useDialogs } from "../use-dialogs";

const DEFAULT_AMOUNT = 50;

export function LeaguesPage() {
  const session = useSession();
  const dialogs = useDialogs();
  const gameweek = useGameweek();
  const [amount, setAmount] = useState<Amount>(DEFAULT_AMOUNT);
  const current = gameweek.status?.gameweek;

  return (
    <Shell
      title="Leagues"
      home="/payment"
      actions={
        <>
          {session && (
            <>
              <ProfileButton label="Profile" onClick={() => dialogs.open("profile")} />
              <BarButton label="Log out" onClick={() => dialogs.open("logout")} />
            </>
          )}
          <Menu items={session ? PLAYERS_MENU : GUESTS_MENU} />
        </>
      }
    >
      <div>
        <h1 className="page-title">Leagues - {amount} Shs</h1>
        <p className="quiet">Click an opponent's username to see their team. It opens in a new tab.</p>
      </div>
      <DeadlineCard gameweek={gameweek} />
      <AmountTabs amount={amount} onChange={setAmount}>
        {gameweek.open && (
          <p className="quiet small">Groups are provisional until the deadline. Then the draw makes the leagues.</p>
        )}
        {current && (
          <LeagueList
            gameweek={current}
            entryAmount={amount}
            ownFplId={session?.fplId || undefined}
          />
        )}
      </AmountTabs>
      {session && <AccountDialogs session={session} dialogs={dialogs} />}
    </Shell>
  );
}
