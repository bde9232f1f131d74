import "./kit.css";
import { Tabs } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";
import { amountOf, ENTRY_AMOUNTS, type Amount } from "../../lib/amounts";
import { msg, str } from "../../lib/i18n";

type Props = { amount: Amount; onChange: (amount: Amount) => void; children: ReactNode };

/** Which amount's leagues are shown; `children` are the chosen amount's. */
export const AmountTabs = ({ amount, onChange, children }: Props) => (
  <Tabs.Container value={String(amount)} onValueChange={(value) => onChange(amountOf(value))} isLazy>
    <Tabs.List spacing="equal" aria-label={msg("Entry amount")}>
      {ENTRY_AMOUNTS.map((value) => (
        <Tabs.Item key={value} value={String(value)}>{msg(str`${value} Shs Entries`)}</Tabs.Item>
      ))}
    </Tabs.List>
    {ENTRY_AMOUNTS.map((value) => (
      <Tabs.Panel key={value} value={String(value)}>
        {value === amount && <div className="stack">{children}</div>}
      </Tabs.Panel>
    ))}
  </Tabs.Container>
);
