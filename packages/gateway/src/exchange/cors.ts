import { type Field, fieldOf, fieldValue } from "@coxswain/wire/http1";
import type { ArrivedRequest } from "../calls/client-call.js";
import type { CorsPolicy } from "../engine/routed-rule.js";

/** What a policy makes of a request. */
export interface CorsDecision {
  /** A preflight request: it is answered here, and goes to no backend. */
  readonly isPreflight: boolean;
  /** For the answer, in the place of the backend's own ones. */
  readonly fields: readonly Field[];
}

/** Pure: the CORS protocol (fetch.spec.whatwg.org, section 3.2) by an HTTPCORSFilter. Undefined: the request has no origin. */
export function planCors(policy: CorsPolicy, { method, fields }: ArrivedRequest): CorsDecision | undefined {
  const origin = fieldValue(fields, "origin");
  if (origin === undefined) return undefined;
  const asked = fieldValue(fields, "access-control-request-method");
  const isPreflight = method === "OPTIONS" && asked !== undefined;
  const isAllowed = policy.allowOrigins.some((allowed) => isOrigin(allowed, origin));
  if (!isAllowed) return { isPreflight, fields: [] };
  const askedHeaders = fieldValue(fields, "access-control-request-headers");
  const lines: (readonly [string, string | undefined])[] = [
    ["Access-Control-Allow-Origin", origin],
    ["Vary", "Origin"],
    ["Access-Control-Allow-Credentials", policy.allowCredentials ? "true" : undefined],
    ["Access-Control-Expose-Headers", listOf(policy.exposeHeaders, policy.allowCredentials ? undefined : "*")],
  ];
  if (isPreflight)
    lines.push(
      ["Access-Control-Allow-Methods", listOf(policy.allowMethods, asked)],
      ["Access-Control-Allow-Headers", listOf(policy.allowHeaders, askedHeaders)],
      ["Access-Control-Max-Age", String(policy.maxAgeSeconds)],
    );
  return {
    isPreflight,
    fields: lines.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [fieldOf(name, value)])),
  };
}

/** For all, what was asked: browsers take a star for all only where no credentials are sent. */
const listOf = (values: readonly string[], forAll: string | undefined): string | undefined =>
  values.includes("*") ? forAll : values.join(", ");

/** A star in an origin stands for any labels to the left; an origin without a port has its scheme's, which browsers leave out, too. */
function isOrigin(allowed: string, origin: string): boolean {
  if (allowed === "*") return true;
  const wanted = allowed.toLowerCase();
  const sent = origin.toLowerCase();
  const star = wanted.indexOf("*");
  if (star < 0) return wanted === sent;
  const [before, after] = [wanted.slice(0, star), wanted.slice(star + 1)];
  if (sent.length <= before.length + after.length || !sent.startsWith(before) || !sent.endsWith(after)) return false;
  const between = sent.slice(before.length, sent.length - after.length);
  // A star alone stands for a whole host, with its port if the origin has one and the policy none.
  return /^[a-z0-9.:[\]-]+$/.test(between);
}

export const isCorsField = (lower: string): boolean => lower.startsWith("access-control-");
