/** An AuthenticationConfiguration as it is written, before anything of it is checked. */
export interface GivenConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly jwt?: readonly GivenJwt[];
  readonly anonymous?: { readonly enabled?: boolean; readonly conditions?: readonly { readonly path?: string }[] };
}

export interface GivenJwt {
  readonly issuer?: GivenIssuer;
  readonly claimValidationRules?: readonly { readonly claim?: string; readonly requiredValue?: string; readonly expression?: string; readonly message?: string }[];
  readonly claimMappings?: { readonly username?: GivenMapping; readonly groups?: GivenMapping; readonly uid?: { readonly claim?: string; readonly expression?: string }; readonly extra?: readonly unknown[] };
  readonly userValidationRules?: readonly unknown[];
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

/** The members that are known; null: a value without members. Lists have the shape of their items. */
type Shape = { readonly [name: string]: Shape | null };
const mapping: Shape = { claim: null, prefix: null, expression: null };
const shape: Shape = {
  apiVersion: null,
  kind: null,
  jwt: {
    issuer: { url: null, discoveryURL: null, certificateAuthority: null, audiences: null, audienceMatchPolicy: null, egressSelectorType: null },
    claimValidationRules: { claim: null, requiredValue: null, expression: null, message: null },
    claimMappings: { username: mapping, groups: mapping, uid: { claim: null, expression: null }, extra: { key: null, valueExpression: null } },
    userValidationRules: { expression: null, message: null },
  },
  anonymous: { enabled: null, conditions: { path: null } },
};

/** The paths of members that nothing is known of. */
export const unknownFields = (given: GivenConfiguration): string[] => unknownIn(given, shape, "");

function unknownIn(value: unknown, known: Shape, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => unknownIn(item, known, `${path}[${at}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(known, name)) return [at];
    const inner = known[name];
    return inner ? unknownIn(member, inner, at) : [];
  });
}
