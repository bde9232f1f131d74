import { Navigate } from "react-router";
import { Loading } from "./Loading";

/** Goes on to another page, whose code may still have to come: until then there is something to see. */
export const Redirect = ({ to }: { to: string }) => (
  <>
    <Loading />
    <Navigate to={to} replace />
  </>
);
