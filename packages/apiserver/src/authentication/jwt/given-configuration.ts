/** An AuthenticationConfiguration as it is written, before anything of it is checked. */
export interface GivenConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly jwt?: readonly GivenJwt[];
  readonly anonymous?: { readonly enabled?: boolean; readonly conditions?: readonly { readonly path?: string }[] };
}

export interface GivenJwt {
  readonly issuer?: GivenIssuer;
  readonly claimValidationRules?: readonly {
    readonly claim?: string;
    readonly requiredValue?: string;
    readonly expression?: string;
    readonly message?: string;
  }[];
  readonly claimMappings?: {
    readonly username?: GivenMapping;
    readonly groups?: GivenMapping;
    readonly uid?: { readonly claim?: string; readonly expression?: string };
    readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
  };
  readonly userValidationRules?: readonly { readonly expression?: string; readonly message?: string }[];
}

export interface GivenIssuer {
  readonly url?: string;
  readonly discoveryURL?: string;
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

export interface GivenMapping {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}
