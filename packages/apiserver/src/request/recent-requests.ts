import { formatDurationMs } from "@coxswain/apimachinery/time";
import { boundedText, copied } from "./bounded-text.js";
import type { LatencyPart, Layer } from "./latencies.js";
import type { QueuedIn, RequestContext } from "./request-context.js";

/** What is remembered of a request that was answered. */
export interface RecentRequest {
  readonly auditId: string;
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  readonly code: number;
  readonly ms: number;
  /** Where the time went; undefined: that was not measured. */
  readonly spent: readonly (readonly [Layer, number])[] | undefined;
  readonly parts: readonly LatencyPart[] | undefined;
  readonly queuedMs: number;
  readonly queuedIn: QueuedIn | undefined;
}

/** The last requests, by their audit ids: for those who ask why one was slow. */
export interface RecentRequests {
  add(context: RequestContext, outcome: { readonly code: number; readonly ms: number }): void;
  find(auditId: string): RecentRequest | undefined;
}

export const mostRequests = 10_000;
/** A client may send any length as its audit id or path. */
const mostChars = 512;
/** What took less is not where the time went. */
const leastMs = 0.05;

export function createRecentRequests(most = mostRequests): RecentRequests {
  const ring: RecentRequest[] = [];
  let next = 0;
  return {
    add({ auditId, user, info, request, latencies, queuedMs, queuedIn }, { code, ms }) {
      const id = boundedText(auditId, mostChars);
      // A short path may be cut from a long address.
      const isLong = request.path.length + request.query.length > mostChars;
      const path = isLong ? copied(request.path, mostChars) : request.path;
      // What is measured to the end of the response ends now, and what is short is not kept.
      const spent = latencies?.entries().filter(([, each]) => each >= leastMs);
      const parts = latencies?.parts;
      ring[next] = {
        auditId: id,
        user: boundedText(user.name, mostChars),
        verb: info.verb,
        path,
        code,
        ms,
        spent,
        parts,
        queuedMs,
        queuedIn,
      };
      next = (next + 1) % most;
    },
    find(auditId) {
      const id = auditId.slice(0, mostChars);
      const isIt = (each: RecentRequest): boolean => each.auditId === id;
      // Requests are many and questions few: there is no index. A client may send one id with several requests: the newest of them counts.
      return ring.slice(0, next).findLast(isIt) ?? ring.slice(next).findLast(isIt);
    },
  };
}

const layers: Readonly<Record<Layer, string>> = {
  "apf-queue-wait": "waited for a seat",
  authentication: "authentication",
  authorization: "authorization",
  "decode-response-object": "decoding the stored object",
  etcd: "store",
  impersonation: "impersonation",
  "mutating-webhook": "mutating webhooks",
  "response-write": "writing the response",
  "serialize-response-object": "encoding the response",
  "transform-response-object": "converting the response",
  "validating-webhook": "validating webhooks",
};

/**
 * Pure: "4.1s: 3.9s waited for a seat, 100ms mutating webhooks (check.shop 100ms)". The longest first.
 * @param namesFlows where it waited is named, too
 */
export function describeTimes(
  { ms, spent, parts = [], queuedMs, queuedIn, code }: RecentRequest,
  { namesFlows }: { readonly namesFlows: boolean },
): string {
  // A wait is known of every request, other times only of those that are measured.
  const known = (spent ?? []).filter(([layer]) => layer !== "apf-queue-wait");
  const times: readonly (readonly [Layer, number])[] =
    queuedMs < leastMs ? known : [...known, ["apf-queue-wait", queuedMs]];
  const place = namesFlows && queuedIn ? placeText(queuedIn) : "";
  const details = (layer: Layer): string =>
    layer === "apf-queue-wait"
      ? place
      : parts
          .filter((part) => part.layer === layer)
          .map(({ name, ms: each }) => `${name} ${shortDuration(each)}`)
          .join(", ");
  const inParentheses = (text: string): string => (text === "" ? "" : ` (${text})`);
  const texts = times
    .toSorted(([, a], [, b]) => b - a)
    .map(([layer, each]) => `${shortDuration(each)} ${layers[layer]}${inParentheses(details(layer))}`);
  if (code === 429 && queuedMs < leastMs && queuedIn) texts.push(`no seat was free${inParentheses(place)}`);
  return `${shortDuration(ms)}${texts.length > 0 ? `: ${texts.join(", ")}` : ""}`;
}

const placeText = ({ flowSchema, priorityLevel, others }: QueuedIn): string =>
  `flow schema ${flowSchema}, priority level ${priorityLevel}, ${others === 1 ? "1 other" : `${others} others`} waiting`;

const shortDuration = (ms: number): string => formatDurationMs(ms >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10);
