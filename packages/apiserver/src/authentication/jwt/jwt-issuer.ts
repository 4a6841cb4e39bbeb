/** Somebody outside of the cluster whose tokens are believed, and what their claims mean here. */
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
  readonly username: PrefixedClaim;
  readonly groups?: PrefixedClaim;
  /** The claim with the uid. */
  readonly uid?: string;
}

export interface PrefixedClaim {
  readonly claim: string;
  /** Stands before every name, so that nobody is taken for one of the cluster's own. */
  readonly prefix: string;
}
