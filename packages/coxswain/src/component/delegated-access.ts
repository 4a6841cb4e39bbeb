import type { Clock } from "@coxswain/runtime/clock";
import type { Client } from "@coxswain/client";
import type { Page, PageGuard, PageRequest } from "@coxswain/component/endpoint";
import { readCertificates } from "@coxswain/wire/x509";

export interface DelegatedAccessOptions {
  /** Reviews tokens. Undefined: tokens are refused. */
  readonly authentication?: Client | undefined;
  /** Decides. Undefined: only `alwaysAllow` and members of system:masters pass. */
  readonly authorization?: Client | undefined;
  /** Paths for everybody; one that ends in * covers what begins so. */
  readonly alwaysAllow: readonly string[];
  readonly clock: Clock;
}

interface User {
  readonly username: string;
  readonly groups: readonly string[];
  readonly uid?: string;
}

const anonymous: User = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** As upstream's components: what the API server answered counts for ten seconds. */
const rememberedMs = 10_000;
/** Tokens and decisions that are remembered; beyond it the oldest are forgotten, so that nobody fills the memory. */
const rememberedMost = 1000;

/** Lets the API server decide who sees a component's pages: TokenReview and SubjectAccessReview, as upstream's components do. */
export function createDelegatedAccess(options: DelegatedAccessOptions): PageGuard {
  const { authentication, authorization, alwaysAllow, clock } = options;
  const reviews = createMemory<User | undefined>(clock);
  const decisions = createMemory<boolean>(clock);

  const userOf = async (request: PageRequest): Promise<User | undefined> => {
    if (request.certificate !== undefined) return userOfCertificate(request.certificate);
    const token = bearerToken(request);
    if (token === undefined) return anonymous;
    if (!authentication) return undefined;
    return reviews(token, async () => {
      const { status } = await authentication.authentication.v1.tokenreviews().create({ spec: { token } });
      const user = status?.authenticated ? status.user : undefined;
      return user && { username: user.username ?? "", groups: user.groups ?? [], ...(user.uid && { uid: user.uid }) };
    });
  };
  const isAllowed = (user: User, verb: string, path: string): boolean | Promise<boolean> => {
    if (user.groups.includes("system:masters")) return true;
    if (!authorization) return false;
    return decisions(JSON.stringify([user, verb, path]), async () => {
      const { username, groups, uid } = user;
      const spec = {
        user: username,
        groups: [...groups],
        ...(uid && { uid }),
        nonResourceAttributes: { path, verb },
      };
      const review = await authorization.authorization.v1.subjectaccessreviews().create({ spec });
      return review.status?.allowed === true;
    });
  };
  return async (request) => {
    const { path } = request;
    if (alwaysAllow.some((rule) => (rule.endsWith("*") ? path.startsWith(rule.slice(0, -1)) : path === rule)))
      return undefined;
    const user = await userOf(request);
    if (!user) return { status: 401, body: "Unauthorized\n" };
    const verb = request.method.toLowerCase();
    return (await isAllowed(user, verb, path)) ? undefined : forbidden(user, verb, path);
  };
}

function userOfCertificate(pem: string): User {
  const [certificate] = readCertificates(pem);
  const subject = certificate?.subject;
  return {
    username: subject?.commonName ?? "",
    groups: [...(subject?.organizations ?? []), "system:authenticated"],
  };
}

function bearerToken({ headers }: PageRequest): string | undefined {
  const header = headers["authorization"];
  const [scheme = "", token] = typeof header === "string" ? header.split(" ") : [];
  return scheme.toLowerCase() === "bearer" ? token : undefined;
}

const forbidden = (user: User, verb: string, path: string): Page => ({
  status: 403,
  contentType: "application/json",
  body: JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `forbidden: User ${JSON.stringify(user.username)} cannot ${verb} path ${JSON.stringify(path)}`,
    reason: "Forbidden",
    details: {},
    code: 403,
  }),
});

/** Answers of a slow function, remembered for a while. Failures are not. */
function createMemory<T>(clock: Clock): (key: string, ask: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();
  return (key, ask) => {
    const now = clock.monotonic();
    const found = known.get(key);
    if (found && found.until > now) return found.answer;
    known.delete(key);
    const answer = ask();
    known.set(key, { until: now + rememberedMs, answer });
    answer.catch(() => known.delete(key));
    for (const oldest of known.keys()) {
      if (known.size <= rememberedMost) break;
      known.delete(oldest);
    }
    return answer;
  };
}
