import { api } from "../../api/client";
import { clearEverything } from "../../lib/session";

/**
 * Ends the session. Whatever the server says, this device forgets it (spec §8), and shows no notifications of this player's
 * any more: the next one to use the phone may be somebody else.
 */
export async function logOut(): Promise<void> {
  try {
    await (await import("./phone")).forget();
  } catch (error) {
    console.error("this browser's notifications could not be turned off", error);
  }
  try {
    await api.POST("/logout");
  } catch (error) {
    console.error("logout was not answered", error);
  } finally {
    clearEverything();
  }
}
