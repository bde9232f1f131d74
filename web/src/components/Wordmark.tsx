/** Our own mark: a pitch's centre circle as a rising table. Nobody else's crest. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0a4d32" />
      <path d="M8 23v-5M16 23V9M24 23v-9" stroke="#fff" strokeWidth="4.4" strokeLinecap="round" />
      <circle cx="24" cy="8.4" r="2.9" fill="#f6b545" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="wordmark">
      <Mark />
      <span>
        FPL <b>Leagues</b>
      </span>
    </span>
  );
}
