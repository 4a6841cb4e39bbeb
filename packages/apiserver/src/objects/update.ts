import { encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { notFound } from "@coxswain/apimachinery/status";
import type { Strategy } from "@coxswain/kinds";
import { encodedObject, parseStored } from "../cache/encoded-object.js";
import { objectKey } from "../cache/object-key.js";
import { resourceOf } from "../catalogue/resource-of.js";
import { refuseCreation } from "./create.js";
import { withEntries } from "./managed-fields.js";
import type { ObjectDeps } from "./object-deps.js";
import { type PendingWrite, pendingWrite, type RequestedState } from "./pipeline/pending-write.js";
import { allSteps, runSteps } from "./pipeline/pipeline.js";
import { preconditionFailed } from "./precondition-failed.js";
import { inOwnTypes } from "./server-scope.js";
import { type Current, type Decision, type Written, writeObject } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

export interface Update extends RequestedState {
  /** Whether a missing object is created: by the kind's strategy, or always (server-side apply). */
  readonly forceCreate?: boolean;
  readonly preconditions?: { readonly uid?: string };
}

/** Replaces or patches an object, or one of its views, or makes it where the kind or the request allows that. */
export async function updateObject(deps: ObjectDeps, given: WriteScope, update: Update): Promise<Written> {
  const scope = inOwnTypes(deps.feed, given);
  const { projection } = scope;
  const loading = deps.loadFor?.(scope.kind);
  if (loading) await loading;
  const storedScope = projection ? { ...scope, kind: projection.stored, view: "" } : scope;
  const key = objectKey(storedScope.kind, scope.namespace, scope.name);
  async function decide(current: Current | undefined): Promise<Decision> {
    if (current) checkPreconditions(storedScope, update, current.object);
    else checkCreatable(scope, update);
    const { name } = scope;
    const write = pendingWrite({ deps, request: "update", requested: update, scope, storedScope, name, current });
    await runSteps(write, allSteps);
    return decisionOf(write);
  }
  const written = await writeObject({ deps, scope: storedScope, key, decide });
  if (!projection) return written;
  const object = withEntries(projection.project(parseStored(written.object.bytes)), []);
  return { done: written.done, object: encodedObject(encodeJson(object, scope.kind.schema)) };
}

function checkCreatable(scope: WriteScope, update: Update): void {
  const { kind, view, projection } = scope;
  // A status may create as well: upstream asks the kind's own strategy there too, and so a service comes to be.
  const mayCreate =
    (view === "" && update.forceCreate) || ((view === "" || view === "status") && kind.strategy.allowCreateOnUpdate);
  if (projection) throw notFound(resourceOf(projection.stored), scope.name);
  if (!mayCreate) throw notFound(resourceOf(scope.version ?? kind), scope.name);
  refuseCreation(scope, scope.name);
}

async function decisionOf(write: PendingWrite): Promise<Decision> {
  const { deps, storedScope: scope, object, current, transaction, requested } = write;
  if (!current || !mayGo(scope, object, current.object))
    return { do: "put", object, transaction, mustTrack: requested.fieldsTracked };
  const released = await deps.transactionOf?.(scope.kind)?.remove(current.object);
  return { do: "remove", object, answer: "old revision", transaction: released };
}

/** A deleting object whose last finalizer was taken goes with that very write. */
function mayGo({ kind }: WriteScope, object: KubernetesObject, old: KubernetesObject): boolean {
  const strategy = kind.strategy as Strategy<KubernetesObject>;
  if ((object.metadata.finalizers?.length ?? 0) > 0) return false;
  // The old state decides whether a deletion is under way, and that no grace is left.
  if (!old.metadata.deletionTimestamp || (old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return strategy.readyToDelete?.(object) ?? true;
}

function checkPreconditions(scope: WriteScope, { preconditions }: Update, old: KubernetesObject): void {
  const wanted = preconditions?.uid;
  if (wanted === undefined || wanted === old.metadata.uid) return;
  throw preconditionFailed(scope, `UID in precondition: ${wanted}, UID in object meta: ${old.metadata.uid ?? ""}`);
}
