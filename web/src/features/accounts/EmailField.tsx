import { Field } from "../../components/Field";
import { msg } from "../../lib/i18n";

type Props = { value: string; onChange: (value: string) => void; error: string | undefined };

export const EmailField = (props: Props) => (
  <Field
    {...props}
    label={msg("Email")}
    input={{ type: "email", inputMode: "email", autoComplete: "username", autoCapitalize: "none", name: "email" }}
  />
);
