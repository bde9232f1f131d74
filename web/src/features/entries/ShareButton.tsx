import { Button } from "@aws-amplify/ui-react";
import { Suspense, useState } from "react";
import { useMayPromote } from "../../api/promotions";
import { Dialog } from "../../components/Dialog";
import { part } from "../../components/part";
import { Skeleton } from "../../components/Skeleton";
import type { Entry } from "./entries";
import { msg, str } from "../../lib/i18n";

const ShareWin = part(() => import("./ShareWin").then((m) => m.ShareWin));

/** A win's picture, where the operator lets players share it; not of who has stopped playing. */
export function ShareButton({ entry }: { entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  const mayShare = useMayPromote();
  if (!mayShare) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} aria-label={msg(str`Share the win of gameweek ${entry.number}`)}>{msg("Share")}</Button>
      <Dialog open={isOpen} title={msg("Share your win")} onClose={() => setOpen(false)}>
        <Suspense fallback={<Skeleton height="26rem" />}>
          <ShareWin entry={entry} />
        </Suspense>
      </Dialog>
    </>
  );
}
