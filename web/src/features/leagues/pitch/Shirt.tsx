import { shirtOf } from "./colours";
import styles from "./Pitch.module.css";

/** A shirt in the club's colours with its letters. */
export function Shirt({ club }: { club: string | null }) {
  const { body, sleeves, letters } = shirtOf(club);
  return (
    <svg className={styles.shirt} viewBox="0 0 48 44" aria-hidden="true">
      <path d="M15 3 4 9 1 20l8 3 4-6h22l4 6 8-3-3-11-11-6z" fill={sleeves} />
      <path d="M15 3c2 5 16 5 18 0l4 2v37a3 3 0 0 1-3 1H14a3 3 0 0 1-3-1V5z" fill={body} />
      <path d="M15 3 4 9 1 20l8 3 2-3v22a3 3 0 0 0 3 1h20a3 3 0 0 0 3-1V20l2 3 8-3-3-11-11-6c-2 5-16 5-18 0z" className={styles.seam} />
      <text x="24" y="29" textAnchor="middle" fill={letters}>
        {club ?? "?"}
      </text>
    </svg>
  );
}
