import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onForbidden } from "../api/forbidden";
import { userQuery } from "../api/queries";
import { TextLayout } from "./layouts/TextLayout";

const SUSPENDED =
  "Your account is suspended. While it is, nothing can be seen or done here. Another admin can end the suspension.";
const NO_ROLE = "Your account is not an admin's any more, so nothing can be seen or done here. The operator can give the role back.";

/**
 * Why an account that logged in as an admin's is none now; null as far as it is one. Asked again when a call is
 * refused.
 */
export function useNoAdmin(enabled: boolean): string | null {
  const client = useQueryClient();
  const { data: user } = useQuery({ ...userQuery, enabled });
  useEffect(() => onForbidden(() => void client.invalidateQueries({ queryKey: userQuery.queryKey })), [client]);
  if (!enabled || !user) return null;
  if (user.role !== "admin") return NO_ROLE;
  return user.suspended ? SUSPENDED : null;
}

/** Stands for the panel, and leads back to where the player still has a wallet. */
export const NoAdmin = ({ why }: { why: string }) => (
  <TextLayout title="Admin panel" inOneLanguage>
    <p role="alert">{why}</p>
  </TextLayout>
);
