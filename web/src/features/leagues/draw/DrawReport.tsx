import { useQuery } from "@tanstack/react-query";
import { Refusal } from "../../../api/refusal";
import { Card } from "../../../components/Card";
import { CardSkeleton } from "../../../components/CardSkeleton";
import { ErrorState } from "../../../components/ErrorState";
import { Skeleton } from "../../../components/Skeleton";
import { eastAfricaTime } from "../../../lib/time";
import { ksh } from "../../../lib/money";
import { plural } from "../../../lib/plural";
import { AmountCard } from "./AmountCard";
import { Facts } from "./Facts";
import { HowToCheck } from "./HowToCheck";
import { drawQuery, type Draw } from "./draw";
import { msg, str } from "../../../lib/i18n";

/** A gameweek's draw: what is fixed before it, and everything else once it is made. */
export function DrawReport({ gameweek }: { gameweek: string }) {
  const { data: draw, error, isError, refetch } = useQuery(drawQuery(gameweek));
  if (draw) return <Report draw={draw} />;
  if (error instanceof Refusal && error.status === 404) return <p>{msg("There is no such gameweek.")}</p>;
  if (isError) return <ErrorState text={msg("The draw could not be read just now.")} onRetry={() => void refetch()} />;
  return (
    <>
      <Skeleton height="1.5rem" />
      <CardSkeleton height="4rem" />
      <CardSkeleton />
    </>
  );
}

const time = (at: string) => eastAfricaTime(new Date(at));

const Report = ({ draw }: { draw: Draw }) => (
  <>
    {draw.drawnAt ? (
      <p>{msg(str`Drawn ${time(draw.drawnAt)}.`)}</p>
    ) : (
      <p>{msg(str`Not drawn yet: that comes after ${time(draw.fence)}. Note the hash of the secret now, and those of the lists once they are here, and you can check afterwards that nobody chose the leagues.`)}</p>
    )}
    <Card title={msg("Fixed before the draw")}>
      <Facts
        facts={[
          { name: msg("Hash of the operator's secret"), value: draw.secretHash ?? msg("Not known before the gameweek opens"), hash: true },
          { name: msg("Deadline"), value: time(draw.deadline) },
          { name: msg("Nothing enters after"), value: time(draw.fence) },
          { name: msg("Lists fixed"), value: draw.listsAt && time(draw.listsAt) },
          ...draw.lists.map((list) => ({
            name: plural(list.entries, msg(str`Hash of the ${list.entries} entry at ${ksh(list.entryAmount)}`), msg(str`Hash of the ${list.entries} entries at ${ksh(list.entryAmount)}`)),
            value: list.entriesHash,
            hash: true,
          })),
          { name: msg("Round of the public beacon"), value: draw.beaconRound ?? msg("A minute after the lists are fixed") },
          { name: msg("Beacon's relays"), value: draw.beaconAddresses.join(", ") },
          { name: msg("Its chain"), value: draw.beaconChain, hash: true },
        ]}
      />
    </Card>
    {draw.draws.map((amount) => (
      <AmountCard key={amount.entryAmount} draw={draw} amount={amount} />
    ))}
    <HowToCheck draw={draw} />
  </>
);
