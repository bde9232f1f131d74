import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { Card } from "../../components/Card";
import { msg } from "../../lib/i18n";
import { casesQuery, nameOf, openCase, type About } from "./cases";
import { WriteCase } from "./WriteCase";

/** Tells us what is wrong with a thing of the player's own. */
export function OpenCase({ about }: { about: About }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Card title={nameOf(about)}>
      <p>{msg("Tell us what is wrong. What we know of it we look up ourselves. We answer here, and by mail we tell you that there is an answer.")}</p>
      <WriteCase
        label={msg("What is wrong?")}
        send={async (text, key) => {
          const { _id } = await openCase({ about, text }, key);
          void client.invalidateQueries({ queryKey: casesQuery.queryKey });
          void navigate(`/cases/${_id}`, { replace: true });
        }}
      />
    </Card>
  );
}
