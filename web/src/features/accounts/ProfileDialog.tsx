import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { userQuery } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { PaybillAccount } from "../../components/PaybillAccount";
import { ksh } from "../../lib/money";
import type { Session } from "../../lib/session";
import { useBalance, whatIsOwed } from "../../api/use-balance";
import styles from "./ProfileDialog.module.css";
import { msg, str } from "../../lib/i18n";

type Props = {
  open: boolean;
  session: Session;
  onClose: () => void;
  onTopUp: () => void;
  onWithdraw: () => void;
  onLogOut: () => void;
  /** Where else it leads. */
  children?: ReactNode;
};

/** Who is playing, what they have, and the three things to do about it. */
export function ProfileDialog({ open, session, onClose, onTopUp, onWithdraw, onLogOut, children }: Props) {
  const { data: user } = useQuery(userQuery);
  const { balance, owed } = useBalance();
  const username = user?.username ?? session.username;
  const fplId = user?.fplId ?? session.fplId;

  return (
    <Dialog open={open} title={msg("Profile")} onClose={onClose}>
      <div className={styles.who}>
        <span className={styles.avatar} aria-hidden="true">
          {username.slice(0, 1).toUpperCase()}
        </span>
        <div>
          <p className={styles.name}>{username}</p>
          {fplId && <p className="quiet">{msg(str`FPL ID: ${fplId}`)}</p>}
          <Link to="/team" onClick={onClose}>{msg("Prove your team")}</Link>
          <br />
          <Link to="/limits" onClick={onClose}>{msg("Limits and breaks")}</Link>
        </div>
      </div>
      {children}
      <p className={styles.balance}>
        <span>{msg("Wallet balance")}</span>
        <b className="money">{balance === null ? "…" : ksh(balance)}</b>
      </p>
      {owed > 0 && <Notice tone="warning">{whatIsOwed(owed)}</Notice>}
      <div>
        <p className="small">{msg("Money sent by hand comes to your wallet by itself:")}</p>
        <PaybillAccount paybill={user?.paybill} />
      </div>
      <div className="stack">
        <Button variation="primary" onClick={onTopUp}>{msg("Top Up Wallet")}</Button>
        <Button onClick={onWithdraw}>{msg("Withdraw")}</Button>
        <Button variation="link" onClick={onLogOut}>{msg("Log Out")}</Button>
      </div>
    </Dialog>
  );
}
