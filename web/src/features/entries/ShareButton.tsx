import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { settingsQuery } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { Skeleton } from "../../components/Skeleton";
import type { Entry } from "./entries";

const ShareWin = lazy(() => import("./ShareWin").then((m) => ({ default: m.ShareWin })));

/** A win's picture, where the operator lets players share it. */
export function ShareButton({ entry }: { entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  const { data: settings } = useQuery(settingsQuery);
  if (!settings?.promotions) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} aria-label={`Share the win of gameweek ${entry.number}`}>
        Share
      </Button>
      <Dialog open={isOpen} title="Share your win" onClose={() => setOpen(false)}>
        <Suspense fallback={<Skeleton height="26rem" />}>
          <ShareWin entry={entry} />
        </Suspense>
      </Dialog>
    </>
  );
}
