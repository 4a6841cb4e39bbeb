// Copies ConfigMaps with the label mirror=true to a second cluster, keeps the copies equal, and deletes them with their originals.
import type { ConfigMap } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import {
  builtIn,
  createOrPatch,
  deleteDerived,
  ensureFinalizer,
  isBeingDeleted,
  type Manager,
  objectMatches,
  removeFinalizer,
  terminalError,
} from "@coxswain/operator";

const { configmaps } = builtIn.core.v1;
const finalizer = "example.com/mirror";
const isCopy = "example.com/copy";

type Map = DeepReadonly<ConfigMap>;
const isOriginal = ({ metadata }: Map): boolean => metadata?.labels?.["mirror"] === "true";
const concernsUs = (map: Map): boolean => isOriginal(map) || (map.metadata?.finalizers ?? []).includes(finalizer);
const isOurs = (copy: Map): boolean => copy.metadata?.labels?.[isCopy] === "true";

/** `target` is the name under which the manager knows the second cluster. */
export function addMirror(manager: Manager, target: string): void {
  manager
    .controller("mirror")
    .for(configmaps, { clusters: [""], predicates: [objectMatches(concernsUs)] })
    // A copy that somebody changed or deleted wakes its original, which is in the first cluster.
    .watches(configmaps, ({ metadata: { name = "", namespace = "" } = {} }) => [{ cluster: "", namespace, name }], {
      clusters: [target],
      predicates: [objectMatches(isOurs)],
    })
    .reconcile(async (request, context) => {
      const original = await context.get(configmaps, request);
      if (original === undefined) return;
      const there = context.cluster(target);
      /** A replica whose cache is late replaces nothing that was made from a newer original. */
      const from = (object: Map) => ({ from: [{ resource: configmaps, object, cluster: context }] });
      if (isBeingDeleted(original) || !isOriginal(original)) {
        await deleteDerived(there, configmaps, request, from(original));
        await removeFinalizer(context, configmaps, original, finalizer);
        return;
      }
      const own = await ensureFinalizer(context, configmaps, original, finalizer);
      await createOrPatch(there, configmaps, request, (copy) => makeCopy(copy, own), from(own));
    });
}

/** Changes what is there into a copy. */
function makeCopy(copy: ConfigMap, { data }: Map): void {
  const { name, namespace, labels, resourceVersion } = copy.metadata ?? {};
  if (resourceVersion !== undefined && !isOurs(copy))
    throw terminalError(`the ConfigMap ${namespace}/${name} of the second cluster is no copy: delete or rename it`);
  copy.metadata = { ...copy.metadata, labels: { ...labels, [isCopy]: "true" } };
  copy.data = { ...data };
}
