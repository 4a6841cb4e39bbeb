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
  const empty = (resource: PreferredResource): Promise<Leftover> => {
    signal.throwIfAborted();
    return deleteResource(client, resource, { namespace, deletedForMs });
  };
  for (const resource of resources.filter(isFirst)) {
    const leftover = await empty(resource);
    pass.add(resource, leftover);
    // What remains is reported once the other resources have been counted too.
    if (leftover.count > 0) return pass.result({ isPartial: true });
  }
  const others = resources.filter((resource) => !isFirst(resource));
  // Some sixty resources, most of them without objects: one after the other, their round trips are most of the time.
  const leftovers = await mapAtOnce(others, resourcesAtOnce, empty);
  for (const [at, leftover] of leftovers.entries()) pass.add(others[at] as PreferredResource, leftover);
  return pass.result({ isPartial: false });
}

/** Of one namespace; ten namespaces are emptied at once. */
const resourcesAtOnce = 8;

/** The results in the order of the items. The first error ends it once what is under way is over. */
async function mapAtOnce<T, R>(items: readonly T[], atOnce: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at] as T);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return results;
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
