// Copies ConfigMaps with the label mirror=true to a second cluster, keeps the copies equal, and deletes them with their originals.
import type { ConfigMap } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { isNotFound } from "@coxswain/apimachinery/status";
import { isNewerVersion } from "@coxswain/client/stores";
import {
  builtIn,
  type ClusterAccess,
  createOrPatch,
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
/** On a copy: the version of the original that it was made from. */
const madeFrom = "example.com/made-from";

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
      if (isBeingDeleted(original) || !isOriginal(original)) {
        await deleteCopy(there, original);
        await removeFinalizer(context, configmaps, original, finalizer);
        return;
      }
      const own = await ensureFinalizer(context, configmaps, original, finalizer);
      // Where there is no copy, the original may be gone with it, and the cache be late: the server knows.
      const isMissing = (await there.get(configmaps, request)) === undefined;
      const newest = isMissing ? await context.live.get(configmaps, request) : own;
      if (newest !== undefined && !isBeingDeleted(newest)) await writeCopy(there, newest);
    });
}

/** A patch of the copy that was read: a copy that somebody changed since is a conflict, and is read again. */
async function writeCopy(there: ClusterAccess, original: Map): Promise<void> {
  const { namespace = "", name = "", resourceVersion = "" } = original.metadata ?? {};
  await createOrPatch(there, configmaps, { namespace, name }, (copy) => {
    if (copy.metadata?.resourceVersion !== undefined && !isOurs(copy))
      throw terminalError(`the ConfigMap ${namespace}/${name} of the second cluster is no copy: delete or rename it`);
    refuseOlder(copy, original);
    copy.metadata = {
      ...copy.metadata,
      labels: { ...copy.metadata?.labels, [isCopy]: "true" },
      annotations: { ...copy.metadata?.annotations, [madeFrom]: resourceVersion },
    };
    copy.data = { ...original.data };
  });
}

/** Read from the server: a copy that the cache does not have yet would be left behind. One that is not ours stays. */
async function deleteCopy(there: ClusterAccess, original: Map): Promise<void> {
  const { namespace = "", name = "" } = original.metadata ?? {};
  const copy = await there.live.get(configmaps, { namespace, name });
  if (copy === undefined || !isOurs(copy)) return;
  refuseOlder(copy, original);
  const { uid = "", resourceVersion = "" } = copy.metadata ?? {};
  await there
    .resource(configmaps, namespace)
    .delete(name, { preconditions: { uid, resourceVersion } })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}

/** A replica whose cache is late must not replace what was made from a newer original. @throws Error: the next try sees more */
function refuseOlder(copy: Map, { metadata: { resourceVersion = "", name = "" } = {} }: Map): void {
  const from = copy.metadata?.annotations?.[madeFrom];
  if (from !== undefined && isNewerVersion(from, resourceVersion))
    throw new Error(`the copy of ${name} was made from version ${from}, newer than the cached ${resourceVersion}`);
}
