import { Alert } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";

type Props = { tone: "error" | "success" | "info" | "warning"; children: ReactNode };

/** One message that is announced when it appears: errors at once, the rest when there is a pause. */
export function Notice({ tone, children }: Props) {
  return (
    <Alert variation={tone} role={tone === "error" ? "alert" : "status"}>
      {children}
    </Alert>
  );
}
