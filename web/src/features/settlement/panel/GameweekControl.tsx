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
import { NextToSettle } from "../../../panel/NextToSettle";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { owedQuery } from "../../../panel/winners-preview";
import { ProgressOfWinners } from "./ProgressOfWinners";
import { useSettling } from "./use-settling";
import { isToSettle, usePreview, type Asked } from "./use-winners-preview";

type Status = Schemas["GameweekStatus"];

/** The gameweek as it stands, ending it, and what else is decided about gameweeks. */
export function GameweekControl({ children }: { children: (status: Status | undefined) => ReactNode }) {
  const client = useQueryClient();
  const { data: status, isError, refetch } = useQuery(gameweekStatusQuery);
  const { progress, problem, busy, endGameweek } = useSettling();
  const { preview, stale, refreshing, refresh, asOf } = usePreview();
  const [askedAt, setAskedAt] = useState<number | null>(null);
  const refreshAll = () => {
    void refetch();
    refresh();
    void client.invalidateQueries({ queryKey: owedQuery.queryKey });
  };

  // Whoever presses knows what it pays, or that this cannot be known now.
  const asked = askedAt === null ? "reading" : asOf(askedAt);
  const payable = typeof asked === "object" && "leagues" in asked && !asked.refused ? asked : null;

  return (
    <Card anchor="gameweeks" title="Gameweek Control" aside={<RefreshButton busy={refreshing} onRefresh={refreshAll} />}>
      {isError && !status && (
        <ErrorState text="The gameweek could not be read just now." onRetry={() => void refetch()} />
      )}
      {((isError && status) || stale) && <Stale />}
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
          setAskedAt(Date.now());
        }}
      >
        End Gameweek
      </Button>
      <Confirm
        open={askedAt !== null}
        title="End the gameweek"
        action={payable ? "Pay the winners" : asked === "unread" ? "Pay without the figures" : null}
        onClose={() => setAskedAt(null)}
        onConfirm={() => {
          setAskedAt(null);
          void endGameweek(payable?.gameweek);
        }}
      >
        <WhatItPays asked={asked} onRetry={refresh} />
        {(payable || asked === "unread") && <p>Winners are paid by the official points. This is not taken back.</p>}
      </Confirm>
      {children(status)}
    </Card>
  );
}

/** Where nothing can be settled, only why. */
function WhatItPays({ asked, onRetry }: { asked: Asked; onRetry: () => void }) {
  if (asked === "reading") return <p>What it would pay is being read…</p>;
  if (asked === "unread") return <ErrorState text="What it would pay could not be read just now." onRetry={onRetry} />;
  if ("none" in asked) return <p>{asked.none}</p>;
  if (asked.refused && asked.leagues === 0) return <Notice tone="warning">{asked.refused}</Notice>;
  return <NextToSettle preview={asked} />;
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
