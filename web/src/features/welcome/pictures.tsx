/** The three steps of the product, drawn: shapes in the theme's colours. */
import type { ReactNode } from "react";
import art from "../../components/art.module.css";

const Picture = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 200 120" className={art.art} aria-hidden="true">
    <rect width="200" height="120" className={art.ground} />
    {children}
  </svg>
);

/** A phone that asks for an entry, and the coin that pays it. */
export const PayPicture = () => (
  <Picture>
    <rect x="62" y="12" width="76" height="130" rx="12" className={art.paper} />
    <rect x="88" y="20" width="24" height="4" rx="2" className={art.soft} />
    <text x="100" y="58" textAnchor="middle" fontSize="17" className={art.ink}>
      KSh 50
    </text>
    <rect x="74" y="72" width="52" height="20" rx="7" className={art.brand} />
    <path d="M92 82l5 5 9-9" className={art["paper-line"]} strokeWidth="4" />
    <circle cx="152" cy="84" r="21" className={art.accent} />
    <text x="152" y="90" textAnchor="middle" fontSize="16" className={art["on-accent"]}>
      50
    </text>
  </Picture>
);

const SHIRT = "M-5 0c1.4 3 8.6 3 10 0l6 2 5.5 9-5.5 4-2.5-3.5v20h-17v-20l-2.5 3.5-5.5-4 5.5-9z";

/** Ten shirts: one of them is yours. */
export const DrawPicture = () => (
  <Picture>
    <rect x="16" y="10" width="168" height="100" rx="12" className={art.paper} />
    {Array.from({ length: 10 }, (_, i) => (
      <path
        key={i}
        transform={`translate(${36 + 32 * (i % 5)} ${i < 5 ? 24 : 70}) scale(0.82)`}
        className={i === 6 ? art.accent : art.brand}
        d={SHIRT}
      />
    ))}
  </Picture>
);

/** Scores side by side, and the one on top. */
export const WinPicture = () => (
  <Picture>
    <path d="M24 106h152" className={art["soft-line"]} strokeWidth="3" />
    {[44, 58, 36, 50].map((height, i) => (
      <rect key={height} x={[34, 62, 124, 152][i]} y={104 - height} width="18" height={height} rx="4" className={art.soft} />
    ))}
    <rect x="91" y="40" width="22" height="64" rx="4" className={art.brand} />
    <circle cx="102" cy="22" r="13" className={art.accent} />
    <text x="102" y="27" textAnchor="middle" fontSize="15" className={art["on-accent"]}>
      1
    </text>
  </Picture>
);
