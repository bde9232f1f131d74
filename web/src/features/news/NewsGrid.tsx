import { news } from "./news";
import styles from "./NewsGrid.module.css";

export const NewsGrid = () => (
  <ul className={styles.grid}>
    {news().map(({ id, image: Image, title, summary }) => (
      <li key={id}>
        <article className={styles.card}>
          <Image />
          <h3 className={styles.title}>{title}</h3>
          <p className="quiet">{summary}</p>
        </article>
      </li>
    ))}
  </ul>
);
