/** The three steps to a team's id, drawn: a browser on the fantasy site, nobody's screenshot. */
import type { ReactNode } from "react";
import art from "../../components/art.module.css";

/** A browser's window with its address bar. */
const Browser = ({ address, children }: { address: ReactNode; children: ReactNode }) => (
  <svg viewBox="0 0 360 200" className={art.art} aria-hidden="true">
    <rect width="360" height="200" className={art.ground} />
    <rect x="18" y="16" width="324" height="200" rx="14" className={art.paper} />
    <circle cx="38" cy="38" r="5" className={art.soft} />
    <circle cx="54" cy="38" r="5" className={art.soft} />
    <rect x="72" y="25" width="254" height="26" rx="13" className={art.ground} />
    <text x="84" y="43" fontSize="13" className={art.quiet}>
      {address}
    </text>
    {children}
  </svg>
);

/** Where to look or press. */
const Ring = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => (
  <rect x={x} y={y} width={width} height={height} rx={height / 2} className={art["accent-line"]} />
);

export const LogInPicture = () => (
  <Browser address="fantasy.premierleague.com">
    <rect x="46" y="74" width="150" height="26" rx="8" className={art.ground} />
    <rect x="46" y="108" width="150" height="26" rx="8" className={art.ground} />
    <rect x="58" y="84" width="74" height="6" rx="3" className={art.soft} />
    <rect x="58" y="118" width="50" height="6" rx="3" className={art.soft} />
    <rect x="46" y="144" width="150" height="30" rx="8" className={art.brand} />
    <text x="121" y="164" textAnchor="middle" fontSize="14" className={art["on-brand"]}>
      Log in
    </text>
    <rect x="246" y="70" width="58" height="106" rx="11" className={art.paper} />
    <rect x="254" y="82" width="42" height="76" rx="4" className={art.soft} />
    <text x="275" y="124" textAnchor="middle" fontSize="12" className={art.quiet}>
      App
    </text>
    <path d="M240 176l70-106" className={art["accent-line"]} />
  </Browser>
);

const TABS = ["Status", "Points", "Pick Team"];

export const PointsPicture = () => (
  <Browser address="fantasy.premierleague.com">
    {TABS.map((tab, i) => (
      <text
        key={tab}
        x={82 + 98 * i}
        y="84"
        textAnchor="middle"
        fontSize="15"
        className={tab === "Points" ? art.ink : art.quiet}
      >
        {tab}
      </text>
    ))}
    <path d="M34 100h292" className={art["soft-line"]} strokeWidth="2" />
    <Ring x={138} y={63} width={84} height={32} />
    <rect x="54" y="118" width="252" height="52" rx="10" className={art.ground} />
    <rect x="74" y="132" width="70" height="8" rx="4" className={art.soft} />
    <rect x="74" y="150" width="110" height="8" rx="4" className={art.soft} />
    <text x="270" y="154" textAnchor="middle" fontSize="26" className={art.brand}>
      61
    </text>
  </Browser>
);

export const NumberPicture = () => (
  <Browser
    address={
      <>
        …/entry/
        <tspan className={art.ink} fontWeight="800">
          118670
        </tspan>
        /event/3
      </>
    }
  >
    <path d="M163 92V60M152 71l11-11 11 11" className={art["accent-line"]} />
    <rect x="92" y="98" width="142" height="44" rx="12" className={art.accent} />
    <text x="163" y="127" textAnchor="middle" fontSize="20" className={art["on-accent"]}>
      ID: 118670
    </text>
    <rect x="256" y="104" width="70" height="8" rx="4" className={art.soft} />
    <rect x="256" y="126" width="50" height="8" rx="4" className={art.soft} />
    <rect x="46" y="162" width="280" height="8" rx="4" className={art.soft} />
  </Browser>
);
