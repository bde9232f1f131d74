import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Refusal } from "../../../api/refusal";
import { Card } from "../../../components/Card";
import { CopyButton } from "../../../components/CopyButton";
import { ErrorState } from "../../../components/ErrorState";
import { Skeleton } from "../../../components/Skeleton";
import { rich } from "../../../components/rich";
import { ksh } from "../../../lib/money";
import { plural } from "../../../lib/plural";
import { eastAfricaTime } from "../../../lib/time";
import { proofQuery, trustQuery, type Proof, type Trust } from "./trust";
import { faultIn, type Fault } from "./verify";
import styles from "./Trust.module.css";
import { msg, str } from "../../../lib/i18n";

/** Whether the player's own wallet is in the sum of all wallets: checked here, in the browser. */
export function ProofCheck() {
  const proof = useQuery(proofQuery);
  const trust = useQuery(trustQuery);
  if (proof.error instanceof Refusal && proof.error.status === 404) return <p>{proof.error.said}</p>;
  if (proof.isError || trust.isError) {
    const again = () => void Promise.all([proof.refetch(), trust.refetch()]);
    return <ErrorState text={msg("It could not be checked just now.")} onRetry={again} />;
  }
  if (!proof.data || !trust.data) return <Skeleton height="16rem" />;
  return <Checked proof={proof.data} trust={trust.data} />;
}

/** What everybody is told of the same reading: the edge may still show the one before. */
const publishedFor = ({ asOf }: Proof, { root, formerRoots }: Trust) =>
  [...(root ? [root] : []), ...formerRoots].find((published) => published.asOf === asOf);

/** Whether all that is published is of before the proof. */
const isOlder = ({ root, formerRoots }: Trust, { asOf }: Proof) =>
  [...(root ? [root] : []), ...formerRoots].every((published) => Date.parse(published.asOf) < Date.parse(asOf));

function Checked({ proof, trust }: { proof: Proof; trust: Trust }) {
  const root = publishedFor(proof, trust);
  const { data: fault, isError, refetch } = useQuery({
    queryKey: ["proof", "checked", proof, root],
    queryFn: async () => (root ? await faultIn(proof, root) : "root"),
    staleTime: Infinity,
  });
  const command = `cargo run -p local -- verify-balance proof.json ${location.origin}`;
  return (
    <>
      <Card title={msg("Your wallet in the sum")}>
        <p>{msg(str`As of ${eastAfricaTime(new Date(proof.asOf))} your wallet held ${ksh(proof.balance)}. Compare that with your transactions up to then.`)}</p>
        {!root && isOlder(trust, proof) ? (
          <p>{msg("The reading that this proof is of is not published here yet. Look again in an hour.")}</p>
        ) : isError ? (
          <ErrorState text={msg("It could not be checked just now.")} onRetry={() => void refetch()} />
        ) : fault === undefined ? (
          <Skeleton height="1.5rem" />
        ) : (
          <Verdict fault={fault} steps={proof.steps.length} />
        )}
        {root && <p>{msg(str`All wallets together: ${ksh(root.sum)} in ${root.wallets} wallets.`)}</p>}
        <p className="quiet small">{msg("Root, as it is published:")}</p>
        <p className={styles.hash}>{root?.hash ?? "–"}</p>
        <p className="quiet small">
          {rich(
            msg("This proves that your balance is in the sum that [our books] show. It does not prove that the money is at M-Pesa, nor that nobody else was left out."),
            (page) => <Link to="/trust">{page}</Link>,
          )}
        </p>
      </Card>
      <Card title={msg("Check it yourself")}>
        <p>{msg("Save this proof as proof.json, and run this command of this product’s source. Show the proof to nobody: it tells your balance.")}</p>
        <p className={styles.hash}>{command}</p>
        <CopyButton text={JSON.stringify(proof)} label={msg("Copy the proof")} />
      </Card>
    </>
  );
}

function Verdict({ fault, steps }: { fault: Fault | null; steps: number }) {
  if (fault === null) return <p className={styles.yes}>{msg("Yes: your money is in the sum.")} {plural(steps, msg("The one step to the root holds."), msg(str`Each of the ${steps} steps to the root holds.`))}</p>;
  return (
    <p role="alert" className={styles.no}>
      {wrong(fault)} {msg("Please contact us, and keep the proof.")}
    </p>
  );
}

function wrong(fault: Fault): string {
  if (fault === "leaf") return msg("No: the leaf is not that of this balance.");
  if (fault === "steps") return msg("No: the steps do not lead to the root.");
  if (fault === "root") return msg("No: this way does not lead to the root that is published.");
  return msg(str`No: step ${fault} does not hold.`);
}
