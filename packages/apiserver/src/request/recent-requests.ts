import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { Latencies, Layer } from "./latencies.js";
import type { RequestContext } from "./request-context.js";

/** What is remembered of a request that was answered. */
export interface RecentRequest {
  readonly auditId: string;
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  readonly code: number;
  readonly ms: number;
  readonly latencies: Latencies | undefined;
}

/** The last requests, by their audit ids: for those who ask why one was slow. */
export interface RecentRequests {
  add(context: RequestContext, outcome: { readonly code: number; readonly ms: number }): void;
  find(auditId: string): RecentRequest | undefined;
}

export const mostRequests = 10_000;
/** A client may send any length as its audit id or path. */
const mostChars = 512;

export function createRecentRequests(most = mostRequests): RecentRequests {
  const byId = new Map<string, RecentRequest>();
  const ring: RecentRequest[] = [];
  let next = 0;
  return {
    add({ auditId, user, info, request, latencies }, { code, ms }) {
      const id = auditId.length > mostChars ? auditId.slice(0, mostChars) : auditId;
      const path = request.path.length > mostChars ? request.path.slice(0, mostChars) : request.path;
      const recent = { auditId: id, user: user.name, verb: info.verb, path, code, ms, latencies };
      const oldest = ring[next];
      // A client may send one id with several requests: the newest of them stays.
      if (oldest && byId.get(oldest.auditId) === oldest) byId.delete(oldest.auditId);
      ring[next] = recent;
      next = (next + 1) % most;
      byId.set(id, recent);
    },
    find: (auditId) => byId.get(auditId.slice(0, mostChars)),
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

/** Pure: "4.1s: 3.9s waited for a seat, 100ms mutating webhooks". The longest first. */
export function describeTimes({ ms, latencies }: RecentRequest): string {
  const parts = [...(latencies?.entries() ?? [])]
    .filter(([, spent]) => spent >= 0.05)
    .sort(([, a], [, b]) => b - a)
    .map(([layer, spent]) => `${shortDuration(spent)} ${layers[layer]}`);
  return `${shortDuration(ms)}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;
}

const shortDuration = (ms: number): string => formatDurationMs(ms >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10);
