import type { ClientConfig } from "@coxswain/component/kubeconfig";
import type { Runtime } from "@coxswain/runtime";
import type { CertificateMetrics } from "../webhook/certificate-metrics.js";
import { createWebhookClient } from "../webhook/webhook-client.js";
import { type AuditBackend, allOf, forgiving, type OnLost } from "./audit-backend.js";
import type { AuditDeps } from "./audit-deps.js";
import { createAuditMetrics } from "./audit-metrics.js";
import { type BatchOptions, batching } from "./batching-backend.js";
import { createLogBackend, type LineWriter, type LogFormat } from "./log-backend.js";
import { createRuler, type Policy } from "./policy.js";
import { type TruncateLimits, truncating } from "./truncating-backend.js";
import { createWebhookBackend } from "./webhook-backend.js";

export interface AuditOptions {
  readonly policy: Policy;
  readonly log?: { readonly out: LineWriter; readonly format: LogFormat; readonly delivery: Delivery };
  readonly webhook?: {
    readonly connection: ClientConfig;
    readonly initialBackoffMs: number;
    readonly delivery: Delivery;
  };
}

/** How a backend gets its events. */
export interface Delivery {
  /** `batch`: later, so that no request waits. `blocking`: before the request goes on. `blocking-strict`: and it does not where that failed. */
  readonly mode: "batch" | "blocking" | "blocking-strict";
  readonly batch: BatchOptions;
  /** @default events of any size */
  readonly truncate?: TruncateLimits;
}

export interface Audit {
  /** For the filters. Undefined: nothing is recorded, and requests have no cost for it. */
  readonly filters: AuditDeps | undefined;
  /** Resolves when all events are stored. */
  stop(): Promise<void>;
}

export interface AuditSurroundings {
  readonly runtime: Runtime;
  /** Of services that events go to. */
  readonly certificates: CertificateMetrics;
}

/** The audit log: a policy and its backends. Without one, only its metrics. */
export function createAudit(options: AuditOptions | undefined, { runtime, certificates }: AuditSurroundings): Audit {
  const { metrics, clock, ioClock, log } = runtime;
  const counts = createAuditMetrics(metrics);
  const onLost: OnLost = (plugin, error, events) => {
    counts.onLost(plugin, events.length);
    log.error("audit events are lost", {
      plugin,
      events: events.length,
      auditIds: events
        .slice(0, 10)
        .map(({ auditID }) => auditID)
        .join(","),
      error,
    });
  };
  const deliver = (backend: AuditBackend, { mode, batch, truncate }: Delivery): AuditBackend => {
    const delivered =
      mode === "blocking-strict"
        ? backend
        : mode === "blocking"
          ? forgiving(backend)
          : batching(backend, batch, ioClock, onLost);
    return truncate ? truncating(delivered, truncate, onLost) : delivered;
  };
  const backends: AuditBackend[] = [];
  if (options?.log)
    backends.push(deliver(createLogBackend(options.log.out, options.log.format, onLost), options.log.delivery));
  if (options?.webhook) {
    const { connection, initialBackoffMs, delivery } = options.webhook;
    backends.push(
      deliver(
        createWebhookBackend(
          createWebhookClient(connection, {
            runtime,
            initialBackoffMs,
            isRetriable: () => true,
            ignoresAnswer: true,
            certificates,
          }),
          onLost,
        ),
        delivery,
      ),
    );
  }
  if (!options || backends.length === 0) return { filters: undefined, stop: () => Promise.resolve() };
  const backend = allOf(backends);
  const { onEvent, onLevel, onRejected } = counts;
  return {
    filters: { backend, now: () => clock.now(), ruling: createRuler(options.policy), onEvent, onLevel, onRejected },
    stop: () => backend.stop(),
  };
}
