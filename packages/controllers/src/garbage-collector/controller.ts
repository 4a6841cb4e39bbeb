import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { createRestMapper, NoMatchError } from "@coxswain/apimachinery/rest-mapper";
import { quoteGo } from "@coxswain/apimachinery/text";
import { createRateLimitingQueue, type RateLimitingQueue, runWorkers } from "@coxswain/client/queue";
import type { Controller, ControllerContext, RunningController } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { withTimers } from "../controller/with-timers.js";
import { type PreferredResource, preferredResources } from "../discovery/preferred-resources.js";
import { type AbsentOwners, createAbsentOwners } from "./absent-owners.js";
import { type CollectOptions, examineNode, NotObservedError, orphanDependents } from "./collect.js";
import { DependencyGraph } from "./dependency-graph.js";
import type { GraphNode } from "./graph-node.js";
import { createLiveObjects } from "./live-objects.js";
import { createMonitors } from "./monitors.js";
import { identityOfReference, identityText } from "./object-identity.js";

/** How often discovery is asked what there is to collect, in milliseconds. Changes of CRDs and APIServices ask at once. */
const discoveryPeriodMs = 30_000;

/** Deletes objects whose owners have gone, and carries out foreground and orphaning deletions. */
export const garbageCollectorController: Controller = {
  name: "garbage-collector-controller",
  aliases: ["garbagecollector"],
  serviceAccount: "generic-garbage-collector",
  start: (context) =>
    context.settings.isGarbageCollectorEnabled === false ? undefined : startGarbageCollector(context),
};

function startGarbageCollector(context: ControllerContext): RunningController {
  const { client, informers, runtime } = context;
  const ending = new AbortController();
  const toExamine = queueOf(context, "garbage_collector_attempt_to_delete");
  const toOrphan = queueOf(context, "garbage_collector_attempt_to_orphan");
  const absentOwners = createAbsentOwners();
  const queues = { toExamine, toOrphan };
  const graph = createGraph(context, queues, absentOwners);
  let mapper = createRestMapper([]);
  const live = createLiveObjects({ client, mapper: () => mapper, runtime });
  const collect: CollectOptions = { graph, live, absentOwners, examine: (node) => toExamine.add(node) };
  const monitors = createMonitors(context, graph);
  let working: Promise<unknown> | undefined;
  const syncErrors = runtime.metrics
    .counter({
      name: "garbagecollector_controller_resources_sync_error_total",
      help: "Number of garbage collector resources sync errors",
      stability: "ALPHA",
    })
    .with();

  const upkeep = withTimers(context, "upkeep");
  const discovery = createReconcileLoop(upkeep, {
    name: "garbage_collector_resources",
    workers: 1,
    async reconcile(_, signal) {
      const surface = await context.discovery.surface().catch((error: unknown) => {
        syncErrors.add(1);
        throw error;
      });
      const resources = preferredResources(surface).filter(isCollectable);
      // No server has none: what is watched is watched on.
      if (resources.length === 0) {
        syncErrors.add(1);
        return { requeueAfterMs: discoveryPeriodMs };
      }
      mapper = createRestMapper(surface.groups);
      await monitors.follow(resources, new Set(surface.failed.map(formatGroupVersion)));
      working ??= work(signal);
      return { requeueAfterMs: discoveryPeriodMs };
    },
  });
  context.discovery.onChange(informers, () => discovery.queue.add(everything));

  /** An owner that is not in the graph yet is looked up at the server, so that a slow resource need not hold up the others for good. */
  async function work(signal: AbortSignal): Promise<void> {
    const timeout = new AbortController();
    const timer = runtime.clock.setTimer(discoveryPeriodMs, () => timeout.abort());
    await monitors.whenSynced(AbortSignal.any([signal, timeout.signal])).catch(() => {
      if (signal.aborted) return;
      syncErrors.add(1);
      runtime.log.warn("not all resources could be listed, collecting nevertheless");
    });
    timer.cancel();
    await runCollectors(context, { ...queues, collect, signal: ending.signal });
  }

  return {
    run() {
      discovery.queue.add(everything);
      discovery.run();
    },
    async stop() {
      ending.abort();
      await discovery.stop();
      toExamine.shutDown();
      toOrphan.shutDown();
      await monitors.stop();
      await working;
    },
  };
}

interface CollectorQueues {
  readonly toExamine: RateLimitingQueue<GraphNode>;
  readonly toOrphan: RateLimitingQueue<GraphNode>;
}

function createGraph(
  context: ControllerContext,
  { toExamine, toOrphan }: CollectorQueues,
  absentOwners: AbsentOwners,
): DependencyGraph {
  const recorder = context.recorder("garbage-collector-controller");
  return new DependencyGraph({
    examine: (node) => toExamine.add(node),
    examineLater: (node) => toExamine.addRateLimited(node),
    orphan: (node) => toOrphan.add(node),
    absent: (identity) => absentOwners.add(identity),
    crossesNamespaces({ identity }, reference) {
      const owner = identityText(identityOfReference(reference, identity.namespace));
      recorder.event(identity, {
        type: "Warning",
        reason: "OwnerRefInvalidNamespace",
        message: `ownerRef ${owner} does not exist in namespace ${quoteGo(identity.namespace)}`,
      });
    },
  });
}

async function runCollectors(
  { settings, runtime }: ControllerContext,
  {
    toExamine,
    toOrphan,
    collect,
    signal,
  }: CollectorQueues & { readonly collect: CollectOptions; readonly signal: AbortSignal },
): Promise<void> {
  const workers = settings.concurrency?.["garbage-collector-controller"] ?? 20;
  const onError = (error: unknown, { identity }: GraphNode): void => {
    // Kinds may come with their definitions later: both are tried again like any other failure.
    const isExpected = error instanceof NotObservedError || error instanceof NoMatchError;
    runtime.log[isExpected ? "debug" : "warn"]("an object could not be collected and is retried", {
      object: identityText(identity),
      error,
    });
  };
  const options = { workers, signal, onError, runtime };
  await Promise.all([
    runWorkers({ ...options, queue: toExamine, work: (node) => examineNode(node, collect) }),
    runWorkers({ ...options, queue: toOrphan, work: (node) => orphanDependents(node, collect) }),
  ]);
}

/** The one key of the queue that asks discovery. */
const everything = "resources";

/** Of what can be listed, watched and deleted, all but events: they are many, short-lived and owned by nobody. */
const isCollectable = ({ group, resource, verbs }: PreferredResource): boolean =>
  ["delete", "list", "watch"].every((verb) => verbs.includes(verb)) &&
  !(resource === "events" && (group === "" || group === "events.k8s.io"));

const queueOf = ({ runtime, queueMetrics }: ControllerContext, name: string): RateLimitingQueue<GraphNode> =>
  createRateLimitingQueue<GraphNode>({
    name,
    runtime,
    ...(queueMetrics && { metrics: queueMetrics }),
  });
