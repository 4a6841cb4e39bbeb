import { formatGroupVersion, formatGroupVersionResource } from "@coxswain/apimachinery/meta";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { ControllerContext } from "../controller/controller.js";
import type { CachedMetadata } from "../controller/informers.js";
import { type MetadataCache, openMetadataCache } from "../controller/metadata-cache.js";
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
  readonly cache: MetadataCache;
}

export function createMonitors(
  context: Pick<ControllerContext, "client" | "informers" | "runtime">,
  graph: DependencyGraph,
): Monitors {
  let monitors = new Map<string, Monitor>();

  const watch = (resource: PreferredResource): Monitor => ({
    resource,
    cache: openMetadataCache(context, resource, {
      keep: withoutRest,
      handler: {
        onAdd: (object) => graph.changed(graphObject(resource, object)),
        onUpdate(old, object) {
          const before = graphObject(resource, old);
          const after = graphObject(resource, object);
          // Deleted and made anew while the watch was interrupted.
          if (before.identity.uid !== after.identity.uid) graph.deleted(before);
          graph.changed(after, before.identity.uid === after.identity.uid ? before : undefined);
        },
        onDelete: (object) => graph.deleted(graphObject(resource, object)),
      },
    }),
  });

  return {
    async follow(resources, failedGroupVersions) {
      const next = new Map<string, Monitor>();
      for (const resource of resources) {
        const key = formatGroupVersionResource(resource);
        next.set(key, monitors.get(key) ?? watch(resource));
      }
      for (const [key, monitor] of monitors)
        if (failedGroupVersions.has(formatGroupVersion(monitor.resource)) && monitor.cache.hasSynced)
          next.set(key, monitor);
      const gone = [...monitors].filter(([key]) => !next.has(key));
      monitors = next;
      await Promise.all(gone.map(([, { cache }]) => cache.close()));
    },
    async whenSynced(signal) {
      signal.throwIfAborted();
      // One listener for all monitors: Node warns of more than ten on a signal.
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
      );
      await Promise.race([aborted, Promise.all([...monitors.values()].map(({ cache }) => cache.whenSynced()))]);
    },
    async stop() {
      await Promise.all([...monitors.values()].map(({ cache }) => cache.close()));
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

function graphObject(resource: PreferredResource, object: CachedMetadata): GraphObject {
  const { name = "", namespace = "", uid = "", ownerReferences, finalizers, deletionTimestamp } = object.metadata ?? {};
  return {
    identity: { apiVersion: formatGroupVersion(resource), kind: resource.kind, namespace, name, uid },
    owners: ownerReferences ?? [],
    finalizers: finalizers ?? [],
    isBeingDeleted: deletionTimestamp !== undefined,
  };
}
