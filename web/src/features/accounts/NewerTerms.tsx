import { Button } from "@aws-amplify/ui-react";
import { Notice } from "../../components/Notice";
import { msg } from "../../lib/i18n";
import { reloadPage } from "../../lib/page";

/** Stands for terms that came after this build: nobody agrees here to what cannot be read here. */
export const NewerTerms = () => (
  <>
    <Notice tone="info">{msg("Our terms are newer than this page. Load it again to read them.")}</Notice>
    <Button variation="primary" onClick={reloadPage}>{msg("Load again")}</Button>
  </>
);
