/** The server names so many at most, in lists that have no further page. */
const MOST = 50;

/** Under a list that may go on: what is older is not in it. */
export const NewestOnly = ({ of: { length } }: { of: readonly unknown[] }) =>
  length < MOST ? null : <p className="quiet small">The newest {MOST} are shown.</p>;
