import { createBucketLimiter, createItemBackoff, maxOfLimiters } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { deleteNamespace } from "./delete-namespace.js";

/** Time for other API servers to learn of the deletion, so that none of them lets a last object in. */
const defaultGraceMs = 5_000;

/** Empties a namespace that was deleted, and lets it go. */
export const namespaceController: Controller = {
  name: "namespace-controller",
  aliases: ["namespace"],
  serviceAccount: "namespace-controller",
  start(context) {
    const { informers, settings } = context;
    const { clock } = context.runtime;
    const namespaces = informers.of("core", "v1", "namespaces");
    const loop = createReconcileLoop(context, {
      name: "namespace",
      workers: settings.concurrency?.["namespace-controller"] ?? 10,
      // Retries at least once a minute: users wait for namespaces to go.
      rateLimiter: maxOfLimiters(
        createItemBackoff<string>({ baseMs: 5, maxMs: 60_000 }),
        createBucketLimiter<string>({ perSecond: 10, burst: 100, clock }),
      ),
      async reconcile(name, signal) {
        if (!namespaces.indexer.getByKey(name)) return;
        const progress = await deleteNamespace(context, name, signal);
        if (progress.kind === "waiting") return { requeueAfterMs: (Math.floor(progress.seconds / 2) + 1) * 1000 };
      },
    });
    const wake = ({
      metadata,
    }: {
      readonly metadata?: { readonly name?: string; readonly deletionTimestamp?: string };
    }) => {
      if (metadata?.name === undefined || metadata.deletionTimestamp === undefined) return;
      loop.queue.addAfter(metadata.name, settings.namespaceDeletionGraceMs ?? defaultGraceMs);
    };
    loop.handle(namespaces, { onAdd: wake, onUpdate: (_, namespace) => wake(namespace) });
    return loop;
  },
};
