import { cloneJson } from "@coxswain/apimachinery/json";
import type { RestClient } from "@coxswain/client";
import type { CachedObject } from "@coxswain/client/informers";
import type { ResourcePath } from "@coxswain/client/rest";
import type { TransportRequest } from "@coxswain/client/transport";
import type { ClusterCache } from "../cache/index.js";
import { resourceOfPath } from "./resource-of-path.js";

export interface WriteRules {
  readonly cache: ClusterCache;
  /** Throws where this process must not write any more: it does not lead. */
  readonly assertMayWrite: () => void;
}

const isWrite = ({ method }: TransportRequest): boolean =>
  method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
const isDryRun = ({ query = [], body }: TransportRequest): boolean =>
  query.some(([name]) => name === "dryRun") ||
  (body?.as === "value" && Array.isArray((body.value as { dryRun?: unknown } | undefined)?.dryRun));

/** Requests pass as they are; what was written is shown by the cache from then on. */
export function observeWrites(rest: RestClient, { cache, assertMayWrite }: WriteRules): RestClient {
  return {
    async send(request) {
      if (!isWrite(request)) return rest.send(request);
      assertMayWrite();
      refuseBlindUpdate(request);
      const answer = await rest.send(request);
      if (!isDryRun(request)) note(cache, request, answer);
      return answer;
    },
    open: (request) => rest.open(request),
    watch: (request) => rest.watch(request),
  };
}

/** A PUT without a resourceVersion replaces whatever is there now, newer changes of others included. */
function refuseBlindUpdate({ method, path, body }: TransportRequest): void {
  if (method !== "PUT" || body?.as !== "value") return;
  const { metadata } = body.value as CachedObject;
  if (metadata?.resourceVersion) return;
  throw new TypeError(
    `the update of ${path} has no metadata.resourceVersion, so it would overwrite newer changes: change a copy of the object that was read, or use patch or apply`,
  );
}

function note(cache: ClusterCache, request: TransportRequest, answer: unknown): void {
  const path = resourceOfPath(request.path);
  const cached = path && cache.existing(path);
  if (cached === undefined || typeof answer !== "object" || answer === null) return;
  const { kind, details } = answer as { kind?: string; details?: { uid?: string } };
  if (kind === "Status") {
    if (request.method === "DELETE" && path?.name !== undefined) cached.deleted(nameIn(path), details?.uid ?? "");
    return;
  }
  // Other subresources (scale, eviction) answer with objects of other kinds.
  if (path?.subresource !== undefined && path.subresource !== "status") return;
  const { metadata } = answer as CachedObject;
  // The caller may change what it was given. A list is the answer of a deletion of many, which is not shown.
  if (metadata?.name !== undefined && metadata.resourceVersion !== undefined)
    cached.wrote(cloneJson(answer as CachedObject));
}

const nameIn = ({ namespace, name }: ResourcePath): { namespace: string; name: string } => ({
  namespace: namespace ?? "",
  name: name ?? "",
});
