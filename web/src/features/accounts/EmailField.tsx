import { Field } from "../../components/Field";

type Props = { value: string; onChange: (value: string) => void; error: string | undefined };

export const EmailField = (props: Props) => (
  <Field
    {...props}
    label="Email"
    input={{ type: "email", inputMode: "email", autoComplete: "username", autoCapitalize: "none", name: "email" }}
  />
);
