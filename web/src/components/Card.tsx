import { Card as KitCard } from "@aws-amplify/ui-react";
import { useId, type ReactNode } from "react";
import styles from "./Card.module.css";

type Props = {
  title: string;
  /** Where links lead that go to it. */
  anchor?: string;
  aside?: ReactNode;
  children: ReactNode;
};

/** A titled part of a page. */
export function Card({ title, anchor, aside, children }: Props) {
  const id = useId();
  return (
    <KitCard as="section" variation="outlined" className={styles.card} aria-labelledby={id} {...(anchor && { id: anchor })}>
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </KitCard>
  );
}
