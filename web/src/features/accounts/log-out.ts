import { api } from "../../api/client";
import { clearEverything } from "../../lib/session";

/** Ends the session. Whatever the server says, this device forgets it (spec §8). */
export async function logOut(): Promise<void> {
  try {
    await api.POST("/logout");
  } catch (error) {
    console.error("logout was not answered", error);
  } finally {
    clearEverything();
  }
}
