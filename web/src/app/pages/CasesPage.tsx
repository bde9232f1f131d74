import { useSearchParams } from "react-router";
import { askedAbout } from "../../features/accounts/cases";
import { CaseList } from "../../features/accounts/CaseList";
import { OpenCase } from "../../features/accounts/OpenCase";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export function CasesPage() {
  const about = askedAbout(useSearchParams()[0]);
  return (
    <PlayerLayout title={msg("Something is wrong?")}>
      {about && <OpenCase about={about} />}
      <CaseList />
    </PlayerLayout>
  );
}
