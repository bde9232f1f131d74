import { Button } from "@aws-amplify/ui-react";
import { useEffect, useState, type ReactNode } from "react";
import { ErrorState } from "../../components/ErrorState";
import { Notice } from "../../components/Notice";
import { rich } from "../../components/rich";
import { ksh } from "../../lib/money";
import { eastAfricaTime } from "../../lib/time";
import { useSubmit } from "../../lib/use-submit";
import { cancel, openLink, type Cancellable, type Looked } from "./cancellation";
import { msg, str } from "../../lib/i18n";

type Props = {
  /** From the link. */
  token: string;
  /** The way on once it is cancelled. */
  children: ReactNode;
};

/** What the mailed link is about, and the button that cancels it: opening the link alone changes nothing. */
export function CancelWithdrawal({ token, children }: Props) {
  const [found, setFound] = useState<Looked>();
  const [refused, setRefused] = useState<string>();
  const { busy, submit } = useSubmit();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let left = false;
    void openLink(token).then((looked) => left || setFound(looked));
    return () => void (left = true);
  }, [token, asked]);

  if (!found) return <p>{msg("Loading...")}</p>;
  if ("error" in found) {
    if (!found.again) return <Notice tone="error">{found.error}</Notice>;
    const retry = () => {
      setFound(undefined);
      setAsked(asked + 1);
    };
    return <ErrorState text={found.error} onRetry={retry} />;
  }
  const { withdrawal } = found;
  const onCancel = () => {
    setRefused(undefined);
    void submit(async () => {
      const answer = await cancel(token);
      if ("error" in answer) return setRefused(answer.error);
      setFound(answer);
    });
  };
  return (
    <>
      <p>
        {rich(
          msg(str`[${ksh(withdrawal.amount)}] to [${withdrawal.mpesaNumber}], asked for on ${eastAfricaTime(new Date(withdrawal.createdAt))}.`),
          (amount) => <b className="money">{amount}</b>,
          (number) => <span className="money">{number}</span>,
        )}
      </p>
      {refused && <Notice tone="error">{refused}</Notice>}
      {withdrawal.cancellable ? (
        <>
          <p>
            {whenOf(withdrawal)} {msg("If it was you, leave it as it is.")}
          </p>
          <Button variation="primary" isFullWidth isLoading={busy} loadingText={msg("Cancelling...")} isDisabled={busy} onClick={onCancel}>{msg("Cancel this withdrawal")}</Button>
        </>
      ) : (
        <End withdrawal={withdrawal}>{children}</End>
      )}
    </>
  );
}

const whenOf = ({ waitsUntil }: Cancellable) =>
  waitsUntil ? msg(str`It is not paid before ${eastAfricaTime(new Date(waitsUntil))}. Until then you can cancel it here.`) : msg("It may be paid at any time.");

function End({ withdrawal: { status, payout }, children }: { withdrawal: Cancellable; children: ReactNode }) {
  if (status === "rejected")
    return (
      <>
        <Notice tone="success">{msg("It is not paid: the money has come back.")}</Notice>
        <p>{msg("If it was not you who asked for it, somebody knows your password. Choose a new one now.")}</p>
        {children}
      </>
    );
  if (status === "pending" && !payout) {
    return <Notice tone="error">{msg("This link does not cancel it any more: the money may be on its way. If it was not you who asked for it, write to us at once.")}</Notice>;
  }
  return (
    <Notice tone="error">
      {status === "done" ? msg("It was paid: it cannot be cancelled any more.") : msg("M-Pesa is paying it: it cannot be cancelled any more.")}
    </Notice>
  );
}
