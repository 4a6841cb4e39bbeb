import type { RestClient } from "@coxswain/client";
import type { TransportRequest } from "@coxswain/client/transport";
import { causeHeader, formatClaim } from "@coxswain/client/work";
import type { Request } from "./reconcile.js";

/** The call of a reconciler, as a server with a history keeps it with each change that the call makes. */
export function claimOf({ controller, request }: { readonly controller: string; readonly request: Request }): string {
  const { namespace, name, causes } = request;
  const revisions = causes
    .map((cause) => ("resourceVersion" in cause ? Number(cause.resourceVersion) : 0))
    .filter((revision) => revision > 0);
  return formatClaim({ queue: controller, item: namespace === "" ? name : `${namespace}/${name}`, revisions });
}

/** Names the call in a header of writes; servers without a history ignore it. */
export function withClaim(rest: RestClient, claim: string): RestClient {
  const named = (request: TransportRequest): TransportRequest =>
    request.method === "GET" || request.method === "HEAD"
      ? request
      : { ...request, headers: { ...request.headers, [causeHeader]: claim } };
  return {
    send: (request) => rest.send(named(request)),
    open: (request) => rest.open(named(request)),
    watch: (request) => rest.watch(request),
  };
}
