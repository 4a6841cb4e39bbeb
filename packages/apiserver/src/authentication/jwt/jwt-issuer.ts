import type { AccessExpression, ClaimedUser, Claims } from "@coxswain/cel/access";

/** An issuer outside of the cluster whose tokens are accepted, and what their claims mean here. */
export interface JwtIssuer {
  /** As tokens name it, and where it is asked for its keys unless there is another place for that. */
  readonly url: string;
  readonly discoveryUrl?: string;
  /** PEM. @default the system's authorities */
  readonly certificateAuthority?: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
  /** Claims that a token must have, with exactly these values. */
  readonly requiredClaims: readonly { readonly claim: string; readonly value: string }[];
  /** Of claims that must hold besides. */
  readonly claimRules?: readonly { readonly condition: ClaimsExpression; readonly message: string }[];
  readonly username: PrefixedClaim | ClaimsExpression;
  readonly groups?: PrefixedClaim | ClaimsExpression;
  /** The claim with the uid. */
  readonly uid?: string | ClaimsExpression;
  readonly extra?: readonly { readonly key: string; readonly value: ClaimsExpression }[];
  /** Of the user that claims identify. */
  readonly userRules?: readonly { readonly condition: UserExpression; readonly message: string }[];
}

export type ClaimsExpression = AccessExpression<Claims>;
export type UserExpression = AccessExpression<ClaimedUser>;

export const isExpression = (source: PrefixedClaim | ClaimsExpression | undefined): source is ClaimsExpression =>
  source !== undefined && "evaluate" in source;

export interface PrefixedClaim {
  readonly claim: string;
  /** Stands before every name, so that nobody is taken for one of the cluster's own. */
  readonly prefix: string;
}
