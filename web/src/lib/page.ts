/** The page itself, behind functions so that tests can stand in for it. */

export const reloadPage = () => window.location.reload();

/** A player's page on the official site for one gameweek. */
export const officialTeamPage = (fplId: string, gameweek: number) =>
  `https://fantasy.premierleague.com/entry/${encodeURIComponent(fplId)}/event/${gameweek}`;
