import type { Clock } from "@coxswain/runtime/clock";
import { readCertificates } from "@coxswain/wire/x509";
import { rememberAnswers } from "./remembered.js";
import type { AuthenticationReviews, AuthorizationReviews, SubjectAccess } from "./reviews.js";

export interface AccessUser {
  readonly username: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a client presents. */
export interface PresentedCredentials {
  /** The client's certificate in PEM, where the TLS handshake verified it. */
  readonly certificate?: string | undefined;
  /** The header of that name. */
  readonly authorization?: string | string[] | undefined;
}

export type AccessAttributes =
  | { readonly kind: "path"; readonly verb: string; readonly path: string }
  /** Of the core group's v1, without a namespace. */
  | {
      readonly kind: "resource";
      readonly verb: string;
      readonly resource: string;
      readonly subresource: string;
      readonly name: string;
    };

/** For how long answers of the API server count, in milliseconds. */
export interface RememberedFor {
  readonly tokensMs: number;
  readonly allowedMs: number;
  readonly deniedMs: number;
}

export interface DelegatedAccessOptions {
  /** Reviews tokens. Undefined: tokens are refused. */
  readonly authentication: AuthenticationReviews | undefined;
  /** Decides. Undefined: nobody is allowed anything but by `alwaysAllowGroups`. */
  readonly authorization: AuthorizationReviews | undefined;
  /** Whether clients without credentials are system:anonymous, or not authenticated. */
  readonly acceptsAnonymous: boolean;
  /** Whose members the API server is not asked about. */
  readonly alwaysAllowGroups: readonly string[];
  readonly remembered: RememberedFor;
  readonly clock: Clock;
}

/**
 * Lets the API server decide who may ask a component for what: TokenReview and SubjectAccessReview, as upstream's components do
 * (k8s.io/apiserver/pkg/authentication/authenticatorfactory and pkg/authorization/authorizerfactory, delegating.go).
 */
export interface DelegatedAccess {
  /** Undefined: the client is not authenticated. Rejects where the API server could not be asked. */
  authenticate(credentials: PresentedCredentials): Promise<AccessUser | undefined>;
  /** Rejects where the API server could not be asked. */
  authorize(user: AccessUser, attributes: AccessAttributes): Promise<boolean>;
}

const anonymous: AccessUser = { username: "system:anonymous", groups: ["system:unauthenticated"] };

export function createDelegatedAccess(options: DelegatedAccessOptions): DelegatedAccess {
  const { authentication, authorization, acceptsAnonymous, alwaysAllowGroups, remembered, clock } = options;
  const users = rememberAnswers<AccessUser | undefined>(clock, () => remembered.tokensMs);
  const decisions = rememberAnswers<boolean>(clock, (allowed) =>
    allowed ? remembered.allowedMs : remembered.deniedMs,
  );
  return {
    async authenticate({ certificate, authorization: header }) {
      const certified = certificate === undefined ? undefined : userOfCertificate(certificate);
      if (certified) return certified;
      const token = bearerToken(header);
      if (token === undefined) return acceptsAnonymous ? anonymous : undefined;
      return authentication && users(token, () => reviewToken(authentication, token));
    },
    async authorize(user, attributes) {
      if (user.groups.some((group) => alwaysAllowGroups.includes(group))) return true;
      if (!authorization) return false;
      return decisions(JSON.stringify([user, attributes]), async () => {
        const spec = accessOf(user, attributes);
        const { status } = await authorization.authorization.v1.subjectaccessreviews().create({ spec });
        return status?.allowed === true;
      });
    },
  };
}

async function reviewToken(client: AuthenticationReviews, token: string): Promise<AccessUser | undefined> {
  const { status } = await client.authentication.v1.tokenreviews().create({ spec: { token } });
  if (!status?.authenticated) return undefined;
  const { username = "", groups = [], uid, extra } = status.user ?? {};
  return { username, groups: authenticated(groups), ...(uid && { uid }), ...(extra && { extra }) };
}

const authenticated = (groups: readonly string[]): readonly string[] =>
  groups.includes("system:authenticated") ? groups : [...groups, "system:authenticated"];

/** As upstream's CommonNameUserConversion (k8s.io/apiserver/pkg/authentication/request/x509/x509.go): a certificate without a common name is nobody's. */
function userOfCertificate(pem: string): AccessUser | undefined {
  const subject = readCertificates(pem)[0]?.subject;
  if (!subject?.commonName) return undefined;
  return { username: subject.commonName, groups: authenticated(subject.organizations) };
}

function bearerToken(header: PresentedCredentials["authorization"]): string | undefined {
  const [scheme = "", token] = typeof header === "string" ? header.trim().split(" ") : [];
  return scheme.toLowerCase() === "bearer" && token ? token : undefined;
}

function accessOf({ username, groups, uid, extra }: AccessUser, attributes: AccessAttributes): SubjectAccess {
  const user = {
    user: username,
    groups: [...groups],
    ...(uid && { uid }),
    ...(extra && { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
  if (attributes.kind === "path") {
    const { path, verb } = attributes;
    return { ...user, nonResourceAttributes: { path, verb } };
  }
  const { verb, resource, subresource, name } = attributes;
  return { ...user, resourceAttributes: { verb, version: "v1", resource, subresource, name } };
}
