/** Gives what is sent up after so many ms (`AbortSignal.timeout` is younger than the oldest of our browsers). */
export async function within<T>(ms: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ms);
  try {
    return await send(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
