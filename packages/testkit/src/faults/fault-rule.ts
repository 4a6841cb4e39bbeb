import type { TimeSpan } from "../time/time-span.js";

/** What happens to a request that a rule matches. */
export type Fault =
  /** 409 Conflict: somebody else wrote first. */
  | { readonly fault: "conflict" }
  /** 410 Expired: the resourceVersion or continue token is too old. */
  | { readonly fault: "expired" }
  /**
   * 429 with Retry-After, in seconds: the client waits by the cluster's clock and tries again, ten times at most. 0: no such header,
   * so the caller receives the error at once. @default 1
   */
  | { readonly fault: "tooManyRequests"; readonly retryAfterSeconds?: number }
  | { readonly fault: "internalError" }
  /** The request is answered, and its client never learns of it: the connection is lost. Writes have happened. */
  | { readonly fault: "lostAnswer" }
  /**
   * The connection is lost before the server sees the request. A rule without `nth`, `times` and `probability` also ends the open
   * watches that it matches.
   */
  | { readonly fault: "partition" }
  /** The program that sent the request is killed: before the request, or after it was carried out. It is started again at once. */
  | { readonly fault: "crash"; readonly when?: "before" | "after" }
  /** The program is killed after a write was carried out and before its next one, and started again. @default `nth`: its first write */
  | { readonly fault: "crashBetweenWrites" }
  /** Open watches of the request's user end, as when a server restarts; the request itself goes on. */
  | { readonly fault: "dropWatches" }
  /** The request waits, by the cluster's clock. */
  | { readonly fault: "delay"; readonly by: TimeSpan };

/** Which requests a fault is for; members that are left out match everything. */
export interface FaultMatch {
  /** "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"; "write" for all that change something. */
  readonly verb?: string | readonly string[];
  /** "pods", "deployments.apps", "pods/status". */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string | RegExp;
  /** The user's name, as RBAC sees it. */
  readonly user?: string | RegExp;
}

export interface FaultLimit {
  /** Only the nth request that matches, counted from 1. */
  readonly nth?: number;
  /** At most so often. @default without end */
  readonly times?: number;
  /** From the cluster's seed. @default 1 */
  readonly probability?: number;
}

export type FaultRule = Fault & FaultMatch & FaultLimit;

/** Pure: a rule with what it leaves out. */
export function completeRule(rule: FaultRule): FaultRule {
  if (rule.fault !== "crashBetweenWrites") return rule;
  return { verb: "write", ...(isUnlimited(rule) && { nth: 1 }), ...rule };
}

/** Whether a rule is about every request that it matches. */
export const isUnlimited = ({ nth, times, probability }: FaultLimit): boolean =>
  nth === undefined && times === undefined && probability === undefined;

/** What a rule looks at. */
export interface FaultSubject {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
}

const writes = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** Pure: whether the rule is about such a request. */
export function matches(rule: FaultMatch, subject: FaultSubject): boolean {
  const verbs = rule.verb === undefined ? undefined : [rule.verb].flat();
  if (verbs && !verbs.some((verb) => verb === subject.verb || (verb === "write" && writes.has(subject.verb))))
    return false;
  if (rule.resource !== undefined && !isResource(rule.resource, subject)) return false;
  if (rule.namespace !== undefined && rule.namespace !== subject.namespace) return false;
  return isText(rule.name, subject.name) && isText(rule.user, subject.user);
}

function isResource(wanted: string, { group, resource, subresource }: FaultSubject): boolean {
  const [whole = "", sub] = wanted.split("/");
  if (sub !== undefined && sub !== subresource) return false;
  return whole === resource || whole === `${resource}.${group}`;
}

const isText = (wanted: string | RegExp | undefined, text: string): boolean =>
  wanted === undefined || (typeof wanted === "string" ? wanted === text : wanted.test(text));
