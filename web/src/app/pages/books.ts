/** The books as everybody sees them, and a player's own share of them, loaded together. */
export { ProofPage } from "./ProofPage";
export { TrustPage } from "./TrustPage";
