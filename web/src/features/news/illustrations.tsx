/** Our own drawings for the news cards: shapes in the theme's colours, nobody's crest or picture. */
import type { ReactNode } from "react";
import art from "../../components/art.module.css";

const Drawing = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 320 168" className={art.art} aria-hidden="true">
    <rect width="320" height="168" className={art.ground} />
    {children}
  </svg>
);

/** A shirt whose neck is at 0, 0, some 88 wide. */
const Shirt = ({ x, y, size = 1, className }: { x: number; y: number; size?: number; className: string | undefined }) => (
  <path
    transform={`translate(${x} ${y}) scale(${size})`}
    className={className}
    d="M-14 0c4 9 24 9 28 0l17 6 16 25-16 11-7-9v56h-48v-56l-7 9-16-11 16-25z"
  />
);

export const Deadline = () => (
  <Drawing>
    <circle cx="160" cy="84" r="58" className={art.paper} />
    <path d="M160 84V26a58 58 0 0 0-50.2 29z" className={art.accent} />
    <path d="M160 84V42M160 84l-28-16" className={art.line} />
    <circle cx="160" cy="84" r="6" className={art.brand} />
    <path d="M160 134v6M210 84h6M110 84h-6" className={art["soft-line"]} />
    <path d="M40 128h36M52 112h24M248 56h32M244 40h20" className={art["soft-line"]} />
  </Drawing>
);

export const Captain = () => (
  <Drawing>
    <Shirt x={134} y={34} className={art.brand} />
    <rect x="163" y="58" width="26" height="16" rx="4" transform="rotate(57 176 66)" className={art.accent} />
    <text x="134" y="100" textAnchor="middle" fontSize="40" className={art["on-brand"]}>
      C
    </text>
    <circle cx="232" cy="100" r="34" className={art.accent} />
    <text x="232" y="113" textAnchor="middle" fontSize="36" className={art["on-accent"]}>
      ×2
    </text>
  </Drawing>
);

export const Transfers = () => (
  <Drawing>
    <Shirt x={76} y={36} className={art.soft} />
    <Shirt x={244} y={36} className={art.brand} />
    <path d="M136 62h46M170 50l13 12-13 12" className={art.line} />
    <path d="M184 104h-46M150 92l-13 12 13 12" className={art["soft-line"]} />
    <rect x="132" y="126" width="56" height="30" rx="15" className={art.accent} />
    <text x="160" y="148" textAnchor="middle" fontSize="20" className={art["on-accent"]}>
      −4
    </text>
  </Drawing>
);

export const Bench = () => (
  <Drawing>
    {[62, 127, 192, 257].map((x, i) => (
      <Shirt key={x} x={x} y={50} size={0.68} className={i === 1 ? art.accent : art.brand} />
    ))}
    <rect x="26" y="112" width="268" height="14" rx="7" className={art.ink} />
    <path d="M58 126v24M262 126v24" className={art["soft-line"]} />
  </Drawing>
);

const DAYS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

export const Calendar = () => (
  <Drawing>
    <rect x="64" y="24" width="192" height="124" rx="12" className={art.paper} />
    <path d="M64 56V36a12 12 0 0 1 12-12h168a12 12 0 0 1 12 12v20z" className={art.brand} />
    <path d="M104 16v16M216 16v16" className={art["soft-line"]} />
    {DAYS.map((day) => {
      const x = 88 + (day % 5) * 36;
      const y = 82 + Math.floor(day / 5) * 38;
      if (day === 6) return <circle key={day} cx={x} cy={y} r="10" fill="none" className={art["soft-line"]} strokeDasharray="3 8" />;
      if (day === 3) {
        return (
          <g key={day} className={art.accent}>
            <circle cx={x - 9} cy={y} r="9" />
            <circle cx={x + 11} cy={y} r="9" />
          </g>
        );
      }
      return <circle key={day} cx={x} cy={y} r="9" className={art.soft} />;
    })}
  </Drawing>
);

export const Final = () => (
  <Drawing>
    <rect x="58" y="104" width="64" height="40" rx="6" className={art.soft} />
    <rect x="128" y="78" width="64" height="66" rx="6" className={art.brand} />
    <rect x="198" y="118" width="64" height="26" rx="6" className={art.soft} />
    <path d="M142 22h36v18a18 18 0 0 1-36 0z" className={art.accent} />
    <path d="M142 27h-11c0 12 5 17 13 18M178 27h11c0 12-5 17-13 18M160 58v10M146 70h28" className={art["accent-line"]} />
    <path d="M147 112l9 10 18-21" className={art["paper-line"]} />
  </Drawing>
);
