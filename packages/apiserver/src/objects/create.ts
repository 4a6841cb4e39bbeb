import { cloneJson } from "@coxswain/apimachinery/json";
import { generateName, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { alreadyExists, forbidden, generateNameConflict, StatusError } from "@coxswain/apimachinery/status";
import { randomUuid } from "@coxswain/runtime/random";
import { objectKey } from "../cache/object-key.js";
import { resourceOf } from "../catalogue/resource-of.js";
import { matchNamespace, wipeSystemMetadata } from "./metadata.js";
import type { ObjectDeps } from "./object-deps.js";
import { type PendingWrite, pendingWrite } from "./pipeline/pending-write.js";
import { requestSteps, runSteps, storageSteps } from "./pipeline/pipeline.js";
import { prepareNew } from "./pipeline/prepare.js";
import { dropRepeatedOwners } from "./repeated-owners.js";
import { strategyContext } from "./strategy-context.js";
import { type Current, type Decision, type Written, writeObject } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

/** A generated name that is taken is tried again with another, this often. */
const nameAttempts = 8;

/** Creates `object`, a private copy in canonical form with its defaults set. */
export async function createObject(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): Promise<Written> {
  const { kind, namespace } = scope;
  const loading = deps.loadFor?.(kind);
  if (loading) await loading;
  const name = scope.name || (object.metadata.name ?? "");
  refuseCreation(scope, name);
  wipeSystemMetadata(object.metadata);
  matchNamespace(object.metadata, kind.namespaced ? namespace : "");
  const repeated = dropRepeatedOwners(object.metadata, "before admission");
  if (repeated !== undefined) scope.warn(repeated);
  const requested = { next: () => object };
  const creation = pendingWrite({
    deps,
    request: "create",
    requested,
    scope,
    storedScope: scope,
    name,
    current: undefined,
  });
  await runSteps(creation, requestSteps);
  const { name: ownName, generateName: prefix } = creation.object.metadata;
  return !ownName && prefix ? createGenerated(creation, prefix) : createNamed(creation);
}

export function refuseCreation({ kind }: WriteScope, name: string): void {
  if (kind.refuseCreation !== undefined) throw forbidden(resourceOf(kind), name, kind.refuseCreation);
}

async function createNamed(creation: PendingWrite): Promise<Written> {
  const { deps, scope, object } = creation;
  const { kind } = scope;
  const name = object.metadata.name || (kind.strategy.namedByUuid ? randomUuid(deps.runtime.random) : "");
  const written = await putNew(creation, { name, isLastAttempt: true });
  if ("taken" in written) throw nameTaken(alreadyExists(resourceOf(scope.version ?? kind), name), written.taken);
  return written;
}

async function createGenerated(creation: PendingWrite, prefix: string): Promise<Written> {
  const { deps, scope } = creation;
  for (let attempt = 1; ; attempt++) {
    const name = generateName(prefix, deps.runtime.random);
    const isLastAttempt = attempt === nameAttempts;
    const written = await putNew(creation, { name, isLastAttempt });
    if (!("taken" in written)) return written;
    if (isLastAttempt) throw generateNameConflict(resourceOf(scope.version ?? scope.kind), name, 1);
  }
}

/** One attempt at writing the object under a name. */
interface Attempt {
  readonly name: string;
  /** The object is not needed again: it need not be copied. */
  readonly isLastAttempt: boolean;
}

/** The object under its name, ready to be written. */
async function newObject(creation: PendingWrite, { name, isLastAttempt }: Attempt): Promise<PendingWrite> {
  const { deps, scope, object } = creation;
  const mayBeRepeated = !isLastAttempt || deps.transactionOf?.(scope.kind) !== undefined;
  // Managed fields are never changed, so that all copies may hold the same.
  const candidate = mayBeRepeated ? cloneJson(object, object.metadata.managedFields) : object;
  if (name !== "") candidate.metadata.name = name;
  const write = { ...creation, name, object: candidate };
  await runSteps(write, storageSteps);
  return write;
}

/** What the server makes itself is prepared and not validated: a test knows it to be valid, and a starting server has no time for it. */
export function prepareOwn(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): KubernetesObject {
  prepareNew(deps, scope, object, strategyContext(deps, scope));
  scope.kind.strategy.canonicalize?.(object);
  return object;
}

/** `taken`: by this object. The new object is prepared first all the same, so that what is wrong with it is reported before that. */
async function putNew(
  creation: PendingWrite,
  attempt: Attempt,
): Promise<Written | { readonly taken: Current | "unreadable" }> {
  const { deps, scope } = creation;
  let taken: Current | undefined;
  let ready: PendingWrite | undefined;
  async function decide(current: Current | undefined): Promise<Decision> {
    taken = current;
    // Prepared again only when another key of its transaction was lost to another writer.
    if (!current || !ready) ready = await newObject(creation, attempt);
    const { object, transaction } = ready;
    return current ? { do: "keep", object } : { do: "put", object, transaction };
  }
  const key = objectKey(scope.kind, scope.namespace, attempt.name);
  if (deps.feed.cacheOf(scope.kind).unreadable.has(key)) {
    await newObject(creation, attempt);
    return { taken: "unreadable" };
  }
  const written = await writeObject({ deps, scope, key, decide });
  return taken ? { taken } : written;
}

/** A client that waits for the name to become free can see that it will. */
function nameTaken(error: StatusError, taken: Current | "unreadable"): StatusError {
  if (taken === "unreadable" || taken.object.metadata.deletionTimestamp === undefined) return error;
  const { code, reason = "", details = {} } = error.status;
  return new StatusError({ code, reason, details, message: `object is being deleted: ${error.message}` });
}
