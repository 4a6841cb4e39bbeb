import { formatGroupVersion, formatGroupVersionResource, type OwnerReference } from "@coxswain/apimachinery/meta";
import { createSharedInformer, type SharedIndexInformer } from "@coxswain/client/informers";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { ControllerContext } from "../controller/controller.js";
import type { PreferredResource } from "../discovery/preferred-resources.js";
import type { DependencyGraph, GraphObject } from "./dependency-graph.js";

/** Informers of the metadata of every resource that can be collected; each brings its objects into the graph. */
export interface Monitors {
  /** Watches these resources, and those of groups whose server does not answer at present if they were watched before. */
  follow(resources: readonly PreferredResource[], failedGroupVersions: ReadonlySet<string>): Promise<void>;
  /** Resolves once the graph holds everything of the resources that are watched now. */
  whenSynced(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

interface Monitor {
  readonly resource: PreferredResource;
  readonly informer: SharedIndexInformer<CachedMetadata>;
  readonly whenSynced: () => Promise<void>;
  readonly hasSynced: () => boolean;
}

type CachedMetadata = Parameters<typeof graphObject>[1];

export function createMonitors(
  { client, clock, random, activity, log }: Pick<ControllerContext, "client" | "clock" | "random" | "activity" | "log">,
  graph: DependencyGraph,
): Monitors {
  let monitors = new Map<string, Monitor>();

  function watch(resource: PreferredResource): Monitor {
    const informer = createSharedInformer<PartialObjectMetadata>({
      listerWatcher: client.metadata(resource),
      transform: withoutRest,
      clock,
      random,
      activity,
      onError: (error) => log.debug("a monitor lost its server and recovers", { resource: resource.resource, error }),
    });
    const registration = informer.addHandler({
      onAdd: (object) => graph.changed(graphObject(resource, object)),
      onUpdate(old, object) {
        const before = graphObject(resource, old);
        const after = graphObject(resource, object);
        // Deleted and made anew while the watch was interrupted.
        if (before.identity.uid !== after.identity.uid) graph.deleted(before);
        graph.changed(after, before.identity.uid === after.identity.uid ? before : undefined);
      },
      onDelete: (object) => graph.deleted(graphObject(resource, object)),
    });
    informer.start();
    return {
      resource,
      informer,
      whenSynced: () => registration.whenSynced(),
      hasSynced: () => registration.hasSynced,
    };
  }

  return {
    async follow(resources, failedGroupVersions) {
      const next = new Map<string, Monitor>();
      for (const resource of resources) {
        const key = formatGroupVersionResource(resource);
        next.set(key, monitors.get(key) ?? watch(resource));
      }
      for (const [key, monitor] of monitors)
        if (failedGroupVersions.has(formatGroupVersion(monitor.resource)) && monitor.hasSynced())
          next.set(key, monitor);
      const gone = [...monitors].filter(([key]) => !next.has(key));
      monitors = next;
      await Promise.all(gone.map(([, { informer }]) => informer.stop()));
    },
    async whenSynced(signal) {
      signal.throwIfAborted();
      // One listener for all monitors: Node warns of more than ten on a signal.
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
      );
      await Promise.race([aborted, Promise.all([...monitors.values()].map((monitor) => monitor.whenSynced()))]);
    },
    async stop() {
      await Promise.all([...monitors.values()].map(({ informer }) => informer.stop()));
    },
  };
}

/** Labels, annotations and the like are most of an object's metadata, and nobody here reads them. */
function withoutRest({ metadata }: PartialObjectMetadata): PartialObjectMetadata {
  const { name, namespace, uid, resourceVersion, ownerReferences, finalizers, deletionTimestamp } = metadata ?? {};
  return {
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(ownerReferences !== undefined && { ownerReferences }),
      ...(finalizers !== undefined && { finalizers }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
  };
}

function graphObject(
  resource: PreferredResource,
  object: {
    readonly metadata?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly uid?: string;
      readonly ownerReferences?: readonly Readonly<OwnerReference>[];
      readonly finalizers?: readonly string[];
      readonly deletionTimestamp?: string;
    };
  },
): GraphObject {
  const { name = "", namespace = "", uid = "", ownerReferences, finalizers, deletionTimestamp } = object.metadata ?? {};
  return {
    identity: { apiVersion: formatGroupVersion(resource), kind: resource.kind, namespace, name, uid },
    owners: ownerReferences ?? [],
    finalizers: finalizers ?? [],
    isBeingDeleted: deletionTimestamp !== undefined,
  };
}
