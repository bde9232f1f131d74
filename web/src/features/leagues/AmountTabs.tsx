import "./kit.css";
import { Tabs } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";
import type { Amount } from "./queries";

const AMOUNTS = [50, 100, 250] as const;
const amountOf = (text: string): Amount => AMOUNTS.find((amount) => String(amount) === text) ?? AMOUNTS[0];

type Props = { amount: Amount; onChange: (amount: Amount) => void; children: ReactNode };

/** Which amount's leagues are shown; `children` are the chosen amount's. */
export const AmountTabs = ({ amount, onChange, children }: Props) => (
  <Tabs.Container value={String(amount)} onValueChange={(value) => onChange(amountOf(value))} isLazy>
    <Tabs.List spacing="equal" aria-label="Entry amount">
      {AMOUNTS.map((value) => (
        <Tabs.Item key={value} value={String(value)}>
          {value} Shs Entries
        </Tabs.Item>
      ))}
    </Tabs.List>
    {AMOUNTS.map((value) => (
      <Tabs.Panel key={value} value={String(value)}>
        {value === amount && <div className="stack">{children}</div>}
      </Tabs.Panel>
    ))}
  </Tabs.Container>
);
