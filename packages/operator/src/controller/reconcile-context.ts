import { type Client, clientThrough } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { Logger } from "@coxswain/runtime/log";
import type { ClusterAccess } from "../access/index.js";
import { causeText } from "../event/index.js";
import { claimOf, withClaim } from "./claim-writes.js";
import type { ReconcileContext, Request } from "./reconcile.js";

interface ContextParts {
  /** Its name. */
  readonly controller: string;
  readonly request: Request;
  readonly reconcileId: string;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  readonly access: (cluster: string) => ClusterAccess;
}

/** One object per call, made often: the log is only made when it is used. */
export function createReconcileContext(parts: ContextParts): ReconcileContext {
  const { request, reconcileId, runtime, signal, access } = parts;
  const own = access(request.cluster);
  let log: Logger | undefined;
  let client: Client | undefined;
  const claiming = (): Client => (client ??= clientThrough(own.client, (rest) => withClaim(rest, claimOf(parts))));
  return {
    ...own,
    get client() {
      return claiming();
    },
    resource: (definition, namespace) =>
      claiming().dynamic(definition, definition.scope === "Cluster" ? undefined : namespace),
    cluster: access,
    reconcileId,
    signal,
    now: () => runtime.clock.now(),
    get log() {
      log ??= runtime.log.child({
        ...(request.cluster !== "" && { cluster: request.cluster }),
        ...(request.namespace !== "" && { namespace: request.namespace }),
        name: request.name,
        reconcileID: reconcileId,
        causes: request.causes.map(causeText).join("; "),
      });
      return log;
    },
  };
}
