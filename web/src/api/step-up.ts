/**
 * What moves money wants a fresh code of the admin's authenticator app: such a call is refused with `stepUp`, the
 * panel asks for the code, and the call is made once more.
 */

/** Asks for a code; whether one was given. */
type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/** Has `ask` called where a code is wanted, until the returned function is. */
export function onStepUp(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Whether this answer asked for a code, and one was given. Calls at once ask together. */
export async function wasGiven(answer: Response): Promise<boolean> {
  if (answer.status !== 403 || !asker) return false;
  const body = (await answer.clone().json().catch(() => null)) as { stepUp?: unknown } | null;
  if (body?.stepUp !== true) return false;
  asking ??= asker().finally(() => {
    asking = null;
  });
  return asking;
}
