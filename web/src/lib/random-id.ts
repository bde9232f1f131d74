/** 32 hex digits nobody guesses. `crypto.randomUUID` is younger than our browsers, and only there in secure contexts. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
