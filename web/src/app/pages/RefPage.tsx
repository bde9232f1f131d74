import { useEffect } from "react";
import { useNavigate, useParams } from "react-router";
import { followReferral } from "../../features/influencers/follow-referral";
import { useTitle } from "../../lib/use-title";
import { Loading } from "../Loading";
import { msg } from "../../lib/i18n";

/** An influencer's or a player's link: the visit is counted, then on to registration whatever came of that. */
export function RefPage() {
  const { code = "" } = useParams();
  const navigate = useNavigate();
  useTitle(msg("Redirecting"));

  useEffect(() => {
    let left = false;
    void followReferral(code).then(() => {
      if (!left) void navigate(`/register?ref=${encodeURIComponent(code)}`, { replace: true });
    });
    return () => {
      left = true;
    };
  }, [code, navigate]);

  return <Loading text={msg("Redirecting…")} />;
}
