import type { ControllerContext } from "../controller/controller.js";
import { discoveryFailure, type PreferredResource, preferredResources } from "../discovery/preferred-resources.js";
import type { DeletionFindings } from "./conditions.js";
import { deleteResource, type Leftover } from "./delete-resource.js";

export interface ContentPass {
  readonly findings: DeletionFindings;
  /** How many seconds the rest may take; 0 with no errors: the namespace is empty. */
  readonly estimateSeconds: number;
  readonly errors: readonly Error[];
}

/**
 * Deletes what is in a namespace, once over all resources that the server has. Pods go first, and nothing else goes while some
 * remain: a NetworkPolicy that falls before the pods it guards would open them. An error of one resource does not keep the
 * others.
 */
export async function deleteContent(
  { client, discovery }: Pick<ControllerContext, "client" | "discovery">,
  options: { namespace: string; deletedForMs: number; isOrdered: boolean; signal: AbortSignal },
): Promise<ContentPass> {
  const { namespace, deletedForMs, isOrdered, signal } = options;
  const surface = await discovery.fresh();
  const resources = preferredResources(surface).filter(
    ({ namespaced, verbs }) => namespaced && verbs.includes("delete"),
  );
  const failure = discoveryFailure(surface);
  const errors = failure === undefined ? [] : [new Error(failure)];
  const incomplete = failure === undefined ? undefined : { failing: surface.failed.length, message: failure };
  const pass = createPass(errors, incomplete);
  const isFirst = ({ group, resource }: PreferredResource): boolean => isOrdered && group === "" && resource === "pods";
  const empty = async (resource: PreferredResource): Promise<Leftover> => {
    signal.throwIfAborted();
    const leftover = await deleteResource(client, resource, { namespace, deletedForMs });
    pass.add(resource, leftover);
    return leftover;
  };
  for (const resource of resources.filter(isFirst)) {
    // What remains is reported once the other resources have been counted too.
    if ((await empty(resource)).count > 0) return pass.result({ isPartial: true });
  }
  for (const resource of resources) if (!isFirst(resource)) await empty(resource);
  return pass.result({ isPartial: false });
}

function createPass(errors: Error[], discovery: DeletionFindings["discovery"]) {
  const deletionErrors: string[] = [];
  const remaining: { resource: PreferredResource; count: number }[] = [];
  const finalizers = new Map<string, number>();
  let estimateSeconds = 0;
  return {
    add(resource: PreferredResource, leftover: Leftover): void {
      if (leftover.error) {
        errors.push(leftover.error);
        deletionErrors.push(leftover.error.message);
      }
      estimateSeconds = Math.max(estimateSeconds, leftover.estimateSeconds);
      if (leftover.count === 0) return;
      remaining.push({ resource, count: leftover.count });
      for (const [finalizer, count] of leftover.finalizers)
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
    },
    result: ({ isPartial }: { isPartial: boolean }): ContentPass => ({
      findings: {
        ...(discovery && { discovery }),
        deletionErrors,
        remaining: isPartial ? [] : remaining,
        finalizers: isPartial ? new Map() : finalizers,
      },
      estimateSeconds,
      errors,
    }),
  };
}
