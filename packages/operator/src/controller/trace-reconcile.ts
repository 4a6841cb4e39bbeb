import type { Span, Tracer } from "@coxswain/client/rest";
import { causeText } from "../event/index.js";
import type { Request, Result } from "./reconcile.js";

interface Traced {
  readonly tracer: Tracer;
  readonly kind: number;
  readonly controller: string;
  readonly request: Request;
  readonly reconcileId: string;
}

const errorStatus = 2;

/** A span for one call of a reconciler, with what woke it. */
export async function traceReconcile(traced: Traced, run: () => Result | Promise<Result>): Promise<Result> {
  const { tracer, kind, controller, request, reconcileId } = traced;
  const span: Span = tracer.startSpan(`reconcile ${controller}`, {
    kind,
    attributes: {
      "k8s.controller": controller,
      "k8s.cluster.name": request.cluster,
      "k8s.namespace.name": request.namespace,
      "k8s.object.name": request.name,
      "reconcile.id": reconcileId,
      "reconcile.retries": request.retries,
      "reconcile.causes": request.causes.map(causeText).join("; "),
    },
  });
  try {
    return await run();
  } catch (error) {
    span.recordException(error as Error);
    span.setStatus({ code: errorStatus, message: (error as Error).message });
    throw error;
  } finally {
    span.end();
  }
}
