/** Holds an answer back until the test opens it, and tells when it was asked for. */
export function gate<T>() {
  let resolveAsked: () => void = () => undefined;
  let resolveAnswer: (answer: T) => void = () => undefined;
  const asked = new Promise<void>((resolve) => (resolveAsked = resolve));
  const answer = new Promise<T>((resolve) => (resolveAnswer = resolve));
  return {
    asked,
    open: (value: T) => resolveAnswer(value),
    /** What the handler returns. */
    wait: () => {
      resolveAsked();
      return answer;
    },
  };
}
