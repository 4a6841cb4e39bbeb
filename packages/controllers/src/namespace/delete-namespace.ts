import type { Namespace } from "@coxswain/api/core/v1";
import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import type { ControllerContext } from "../controller/controller.js";
import { planConditions } from "./conditions.js";
import { deleteContent } from "./delete-content.js";

/** The finalizer in `spec.finalizers` that this controller removes. */
const finalizer = "kubernetes";

/** Either there is nothing more to do, or what remains may take so many seconds. */
export type DeletionProgress = { readonly kind: "done" } | { readonly kind: "waiting"; readonly seconds: number };

const done: DeletionProgress = { kind: "done" };

/**
 * Takes a deleted namespace one step further: marks it Terminating, deletes its content, reports in its conditions, and lets
 * it go once it is empty. Reads the namespace from the server: others write to it during its deletion.
 */
export async function deleteNamespace(
  {
    client,
    discovery,
    gates,
    runtime: { clock, log },
  }: Pick<ControllerContext, "client" | "discovery" | "gates" | "runtime">,
  name: string,
  signal: AbortSignal,
): Promise<DeletionProgress> {
  const namespaces = client.core.v1.namespaces();
  let namespace = await unlessGone(namespaces.get(name, { signal }));
  if (namespace?.metadata?.deletionTimestamp === undefined) return done;
  namespace = await changing(client, namespace, async (current) =>
    current.metadata?.deletionTimestamp === undefined || current.status?.phase === "Terminating"
      ? current
      : namespaces.updateStatus({ ...current, status: { ...current.status, phase: "Terminating" } }),
  );
  const deletedAt = namespace?.metadata?.deletionTimestamp;
  if (!namespace || deletedAt === undefined || !namespace.spec?.finalizers?.length) return done;

  const { findings, estimateSeconds, errors } = await deleteContent(
    { client, discovery },
    {
      namespace: name,
      deletedForMs: clock.now() - (parseTimeMs(deletedAt) ?? clock.now()),
      isOrdered: gates.enabled("OrderedNamespaceDeletion"),
      signal,
    },
  );
  const conditions = planConditions(namespace.status?.conditions ?? [], findings, formatTime(clock.now()));
  if (conditions)
    namespace = await namespaces
      .updateStatus({ ...namespace, status: { ...namespace.status, conditions } })
      .catch((error: unknown) => {
        // The next pass reports again; the deletion does not depend on it.
        log.warn("the conditions of a namespace were not written", { namespace: name, error });
        return namespace as Namespace;
      });
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, textOf(errors));
  if (estimateSeconds > 0) return { kind: "waiting", seconds: estimateSeconds };
  await changing(client, namespace, (current) =>
    namespaces.subresource<Namespace>("finalize").update(name, finalized(current)),
  );
  return done;
}

/** Pure: the namespace without this controller's finalizer; those of others stay. */
export function finalized({ metadata, spec }: Namespace): Namespace {
  const others = new Set((spec?.finalizers ?? []).filter((other) => other !== finalizer));
  return {
    apiVersion: "v1",
    kind: "Namespace",
    ...(metadata && { metadata }),
    spec: { ...spec, finalizers: [...others].sort() },
  };
}

const textOf = (errors: readonly Error[]): string => errors.map(({ message }) => message).join(", ");

/** Repeats a change on the newest state until nobody else's comes between. Undefined: the namespace is gone. */
async function changing(
  client: Client,
  namespace: Namespace,
  change: (current: Namespace) => Promise<Namespace>,
): Promise<Namespace | undefined> {
  for (let current = namespace; ; ) {
    try {
      return await unlessGone(change(current));
    } catch (error) {
      if (!isConflict(error)) throw error;
      const newest = await unlessGone(client.core.v1.namespaces().get(current.metadata?.name ?? ""));
      if (!newest) return undefined;
      if (newest.metadata?.uid !== current.metadata?.uid)
        throw new Error("namespace uid has changed across retries", { cause: error });
      current = newest;
    }
  }
}

/** Somebody else has finished the work. */
const unlessGone = async <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
