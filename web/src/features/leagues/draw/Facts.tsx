import styles from "./Draw.module.css";

export type Fact = { name: string; value: string | number | null | undefined; hash?: boolean };

/** Names and values; hashes can be marked whole with one tap. What has no value is left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.facts}>
    {facts.map(({ name, value, hash }) =>
      value === null || value === undefined || value === "" ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={hash ? styles.hash : undefined}>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
