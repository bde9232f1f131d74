import { api, type Schemas } from "../../api/client";
import { answerOf, explain } from "../../api/refusal";
import { msg } from "../../lib/i18n";

export type Cancellable = Schemas["Cancellable"];

/** What a link is about or what became of it, or the text that says why it is about nothing. */
export type Looked = { withdrawal: Cancellable } | { error: string };


const looked = async (call: Promise<Cancellable>, failed: string): Promise<Looked> => {
  try {
    return { withdrawal: await call };
  } catch (error) {
    return { error: explain(error, { refused: msg("Invalid or expired link."), failed }) };
  }
};

/** Opens the link: nothing changes by that. */
export const openLink = (token: string) =>
  looked(
    answerOf(api.GET("/api/cancel-withdrawal/{token}", { params: { path: { token } } })),
    msg("It could not be read just now. Please try again."),
  );

/** Takes the money back into the wallet. */
export const cancel = (token: string) =>
  looked(
    answerOf(api.POST("/api/cancel-withdrawal/{token}", { params: { path: { token } } })),
    msg("It could not be cancelled just now. Please try again."),
  );
