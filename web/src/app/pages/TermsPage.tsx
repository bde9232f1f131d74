import { useEffect, useState, type ComponentType } from "react";
import { Link, useParams } from "react-router";
import { api } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { NewerTerms } from "../../features/accounts/NewerTerms";
import { isNewer, isVersion, VERSIONS, type Version } from "../../features/accounts/terms-versions";
import { dayAndYear } from "../../lib/day-and-year";
import { last } from "../../lib/last";
import { msg, str } from "../../lib/i18n";
import { TextLayout } from "../layouts/TextLayout";
import { August2026 } from "../terms/August2026";
import { NotFoundPage } from "./NotFoundPage";

const TEXTS: Readonly<Record<Version, ComponentType>> = { "2026-08-01": August2026 };

const beganOn = (version: Version) => dayAndYear(new Date(version));

/** The terms in force, or those of an earlier version: `/terms/2026-08-01`. */
export function TermsPage() {
  const { version: asked } = useParams();
  const { current, isKnown } = useCurrent();
  const version = asked ?? current;
  // Until it is known which are in force, those of the address may be.
  if (isNewer(version) && (!isKnown || version <= current)) return <TextLayout title={msg("Terms")}><NewerTerms /></TextLayout>;
  if (!isVersion(version)) return <NotFoundPage />;
  const Text = TEXTS[version];
  return (
    <TextLayout title={msg("Terms")}>
      <p className="quiet">{msg(str`In force from ${beganOn(version)}.`)}</p>
      {version < current && <p>{msg("These terms are not in force any more.")} <Link to="/terms">{msg("The terms in force")}</Link></p>}
      <Text />
      {VERSIONS.length > 1 && (
        <>
          <h2>{msg("All versions")}</h2>
          <ul>
            {VERSIONS.map((one) => (
              <li key={one}><Link to={`/terms/${one}`}>{beganOn(one)}</Link></li>
            ))}
          </ul>
        </>
      )}
    </TextLayout>
  );
}

/** The version in force. Until the API has said it, or where it does not answer, it is the last that this page has. */
function useCurrent(): { current: string; isKnown: boolean } {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    answerOf(api.GET("/api/settings", { signal: leaving.signal })).then(
      ({ terms }) => setCurrent(terms),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);
  return { current: current ?? last(VERSIONS) ?? "2026-08-01", isKnown: current !== undefined };
}
