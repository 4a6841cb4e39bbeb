// Copies ConfigMaps with the label mirror=true to a second cluster, keeps the copies equal, and deletes them with their originals.
import {
  apply,
  builtIn,
  ensureFinalizer,
  isBeingDeleted,
  type Manager,
  objectMatches,
  removeFinalizer,
} from "@coxswain/operator";
import { isNotFound } from "@coxswain/apimachinery/status";

const { configmaps } = builtIn.core.v1;
const finalizer = "example.com/mirror";
const isCopy = "example.com/copy";

interface Labelled {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly finalizers?: readonly string[] };
}
const isOriginal = ({ metadata }: Labelled): boolean => metadata?.labels?.["mirror"] === "true";
const concernsUs = (map: Labelled): boolean => isOriginal(map) || (metadata(map).finalizers ?? []).includes(finalizer);
const metadata = (map: Labelled): NonNullable<Labelled["metadata"]> => map.metadata ?? {};

/** `target` is the name under which the manager knows the second cluster. */
export function addMirror(manager: Manager, target: string): void {
  manager
    .controller("mirror")
    .for(configmaps, { clusters: [""], predicates: [objectMatches(concernsUs)] })
    // A copy that somebody changed or deleted wakes its original, which is in the first cluster.
    .watches(configmaps, ({ metadata: { name = "", namespace = "" } = {} }) => [{ cluster: "", namespace, name }], {
      clusters: [target],
      predicates: [objectMatches((map: Labelled) => map.metadata?.labels?.[isCopy] === "true")],
    })
    .reconcile(async ({ namespace, name }, context) => {
      const original = await context.get(configmaps, { namespace, name });
      const there = context.cluster(target);
      if (original === undefined) return;
      if (isBeingDeleted(original) || !isOriginal(original)) {
        const copy = await there.get(configmaps, { namespace, name });
        // A ConfigMap of the same name that is no copy of ours stays.
        if (copy?.metadata?.labels?.[isCopy] === "true")
          await there
            .resource(configmaps, namespace)
            .delete(name, { preconditions: { uid: copy.metadata.uid ?? "" } })
            .catch((error: unknown) => {
              if (!isNotFound(error)) throw error;
            });
        await removeFinalizer(context, configmaps, original, finalizer);
        return;
      }
      await ensureFinalizer(context, configmaps, original, finalizer);
      await apply(there, configmaps, {
        metadata: { namespace, name, labels: { [isCopy]: "true" } },
        data: original.data ?? {},
      });
    });
}
