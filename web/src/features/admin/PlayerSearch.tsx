import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Link, useSearchParams } from "react-router";
import { explain } from "../../api/refusal";
import { Card } from "../../components/Card";
import { Field } from "../../components/Field";
import { ListRows } from "../../components/Rows";
import { errorOf } from "../../lib/parsed";
import styles from "../../panel/Panel.module.css";
import { Stale } from "../../panel/Stale";
import { MOST_FOUND, readSearch, searchQuery, type PlayerItem } from "./players";

const playerId = (player: PlayerItem) => player._id;

/** Finds players; what was looked for is in the address, so that the way back leads to it. */
export function PlayerSearch() {
  const [params, setParams] = useSearchParams();
  const q = params.get("q") ?? "";
  const [typed, setTyped] = useState(q);
  const [tried, setTried] = useState(false);
  const { data: found, error, refetch } = useQuery(searchQuery(q));
  const read = readSearch(typed);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!read.ok) return;
    if (read.value === q) void refetch();
    else setParams({ q: read.value });
  };

  return (
    <Card title="Find a player">
      <form className="form" onSubmit={onSubmit} noValidate role="search">
        <Field
          label="Name, email, FPL ID or phone"
          hint="How a name, email or FPL ID begins; of a phone number the last three digits or more."
          value={typed}
          onChange={setTyped}
          error={tried ? errorOf(read) : undefined}
          input={{ autoComplete: "off", autoCapitalize: "none", name: "q" }}
        />
        <Button type="submit" variation="primary">
          Search
        </Button>
      </form>
      {error && found && <Stale />}
      {q && (
        <ListRows
          list={{ items: found, failed: error !== null && !found, refresh: () => void refetch() }}
          unread={error ? explain(error, { refused: "The search was refused.", failed: "The players could not be read just now." }) : ""}
          empty={`Nobody is found by “${q}”.`}
          id={playerId}
        >
          {(player) => <Row player={player} />}
        </ListRows>
      )}
      {found && found.length >= MOST_FOUND && <p className="quiet">At most {MOST_FOUND} are shown. Type more to find others.</p>}
    </Card>
  );
}

const Row = ({ player: { _id, username, email, fplId, role, suspended, frozen, closedAt } }: { player: PlayerItem }) => (
  <div className={styles.what}>
    <p className={styles.main}>
      <Link to={`/panel/players/${_id}`}>{username}</Link>
    </p>
    <p className="small">{email}</p>
    <p className="quiet small">
      {fplId ? `FPL ID ${fplId}` : "No team"}
      {role === "admin" && " · admin"}
    </p>
    {suspended && <p className={styles.warning}>Suspended</p>}
    {frozen && <p className={styles.warning}>Frozen</p>}
    {closedAt && <p className={styles.warning}>Closed by its player</p>}
  </div>
);
