import { api, type Schemas } from "../../api/client";
import { answerOf, explain, isCertain } from "../../api/refusal";
import { msg } from "../../lib/i18n";

export type Cancellable = Schemas["Cancellable"];

/** What a link is about or what became of it, or the text that says why it is about nothing; `again`: it may be said yet. */
export type Looked = { withdrawal: Cancellable } | { error: string; again: boolean };

const looked = async (call: Promise<Cancellable>, failed: string): Promise<Looked> => {
  try {
    return { withdrawal: await call };
  } catch (error) {
    const again = !isCertain(error);
    return { error: again ? failed : explain(error, { refused: msg("Invalid or expired link."), failed }), again };
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
    msg("No clear answer came. It may be cancelled already: please try again, and see."),
  );
