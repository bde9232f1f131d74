import { Button } from "@aws-amplify/ui-react";
import styles from "./Panel.module.css";

export const RefreshButton = ({ busy, onRefresh }: { busy: boolean; onRefresh: () => void }) => (
  <Button variation="link" size="small" className={styles.refresh ?? ""} onClick={onRefresh} isDisabled={busy}>
    {busy ? "Refreshing…" : "Refresh"}
  </Button>
);
