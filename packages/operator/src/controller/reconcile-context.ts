import type { Runtime } from "@coxswain/runtime";
import type { Logger } from "@coxswain/runtime/log";
import type { ClusterAccess } from "../access/index.js";
import { causeText } from "../event/index.js";
import type { ReconcileContext, Request } from "./reconcile.js";

interface ContextParts {
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
  return {
    ...own,
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
