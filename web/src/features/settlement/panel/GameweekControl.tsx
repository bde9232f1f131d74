import { Button } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Schemas } from "../../../api/client";
import { gameweekStatusQuery } from "../../../api/queries";
import { Card } from "../../../components/Card";
import { Confirm } from "../../../components/Confirm";
import { ErrorState } from "../../../components/ErrorState";
import { Notice } from "../../../components/Notice";
import { Skeleton } from "../../../components/Skeleton";
import { ksh } from "../../../lib/money";
import { eastAfricaTime } from "../../../lib/time";
import styles from "../../../panel/Figures.module.css";
import { RefreshButton } from "../../../panel/RefreshButton";
import { owedQuery, type Preview } from "../../../panel/winners-preview";
import { NextToSettle } from "./NextToSettle";
import { ProgressOfWinners } from "./ProgressOfWinners";
import { useSettling } from "./use-settling";
import { isToSettle, usePreview } from "./use-winners-preview";

type Status = Schemas["GameweekStatus"];

/** The gameweek as it stands, ending it, and what else is decided about gameweeks. */
export function GameweekControl({ children }: { children: (status: Status | undefined) => ReactNode }) {
  const client = useQueryClient();
  const { data: status, isError, refetch } = useQuery(gameweekStatusQuery);
  const { progress, problem, busy, endGameweek } = useSettling();
  const { preview, none, unknown, refreshing, refresh } = usePreview();
  const [asking, setAsking] = useState(false);
  const refreshAll = () => {
    void refetch();
    refresh();
    void client.invalidateQueries({ queryKey: owedQuery.queryKey });
  };

  // Whoever presses knows what it pays, or that this cannot be known.
  const decided = (preview !== undefined && !preview.refused) || (unknown !== undefined && !none);

  return (
    <Card anchor="gameweeks" title="Gameweek Control" aside={<RefreshButton busy={refreshing} onRefresh={refreshAll} />}>
      {isError && !status && (
        <ErrorState text="The gameweek could not be read just now." onRetry={() => void refetch()} />
      )}
      {status ? <Standing status={status} /> : !isError && <Skeleton height="8rem" />}
      {preview && isToSettle(preview) && !progress && <NextToSettle preview={preview} />}
      {progress && <ProgressOfWinners progress={progress} />}
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button
        variation="primary"
        isLoading={busy}
        loadingText="Processing winners…"
        onClick={() => {
          refresh();
          setAsking(true);
        }}
      >
        End Gameweek
      </Button>
      <Confirm
        open={asking}
        title="End the gameweek"
        action={decided ? "Pay the winners" : null}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void endGameweek(preview?.gameweek);
        }}
      >
        <WhatItPays preview={preview} unknown={unknown} />
        {decided && <p>Winners are paid by the official points. This is not taken back.</p>}
      </Confirm>
      {children(status)}
    </Card>
  );
}

/** Where nothing can be settled, only why. */
function WhatItPays({ preview, unknown }: { preview: Preview | undefined; unknown: string | undefined }) {
  if (unknown || !preview) return <p>{unknown ?? "What it would pay is being read…"}</p>;
  if (preview.refused && preview.leagues === 0) return <Notice tone="warning">{preview.refused}</Notice>;
  return <NextToSettle preview={preview} />;
}

const Standing = ({ status }: { status: Status }) => (
  <dl className={styles.standing}>
    <div>
      <dt>Gameweek</dt>
      <dd>{status.gameweek ? `${status.gameweek} · ${status.state ?? ""}` : "none"}</dd>
    </div>
    {status.deadline && (
      <div>
        <dt>Deadline</dt>
        <dd>{eastAfricaTime(new Date(status.deadline))}</dd>
      </div>
    )}
    {status.amounts.map(({ entryAmount, entries }) => (
      <div key={entryAmount}>
        <dt>{ksh(entryAmount)} entries</dt>
        <dd>
          {entries} · {ksh(entries * entryAmount)} collected
        </dd>
      </div>
    ))}
  </dl>
);
