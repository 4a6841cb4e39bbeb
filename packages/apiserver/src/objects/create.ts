import { cloneJson } from "@coxswain/apimachinery/json";
import { generateName, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { alreadyExists, generateNameConflict, invalid, StatusError } from "@coxswain/apimachinery/status";
import { fieldPath } from "@coxswain/apimachinery/field";
import { checkPathSegmentName, validateObjectMeta } from "@coxswain/apimachinery/validation";
import { resourceOf } from "../admission/admission.js";
import { trackManagedFields } from "./managed-fields.js";
import { fillSystemMetadata, matchNamespace, wipeSystemMetadata } from "./metadata.js";
import type { ObjectDeps } from "./object-deps.js";
import { objectKey } from "./object-key.js";
import { dropRepeatedOwners } from "./repeated-owners.js";
import { write, type Written } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

/** A generated name that is taken is tried again with another, this often. */
const nameAttempts = 8;

/** Creates `object`, a private copy in canonical form with its defaults set. */
export async function createObject(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): Promise<Written> {
  const { kind, namespace } = scope;
  const expectedNamespace = kind.namespaced ? namespace : "";
  wipeSystemMetadata(object.metadata);
  matchNamespace(object.metadata, expectedNamespace);
  warnOf(scope, dropRepeatedOwners(object.metadata, "before admission"));
  const tracked = trackManagedFields(deps, scope, undefined, object);
  const name = scope.name || (object.metadata.name ?? "");
  const attributes = { operation: "CREATE", kind, subresource: scope.view, namespace: namespaceSeen(scope, name), name, object: tracked, old: undefined, user: scope.user, dryRun: scope.dryRun } as const;
  await deps.admission.admit(attributes);
  warnOf(scope, dropRepeatedOwners(tracked.metadata, "after admission"));

  const generated = !tracked.metadata.name && tracked.metadata.generateName ? tracked.metadata.generateName : undefined;
  for (let attempt = 1; ; attempt++) {
    const candidate = generated && attempt < nameAttempts ? cloneJson(tracked) : tracked;
    if (generated) candidate.metadata.name = generateName(generated, deps.random);
    const prepared = prepareNew(deps, scope, candidate);
    await deps.admission.validate({ ...attributes, name: prepared.metadata.name ?? "", object: prepared });
    const written = await put(deps, scope, prepared);
    if (written) return written;
    if (!generated) throw alreadyExists(resourceOf(kind), prepared.metadata.name ?? "");
    if (attempt >= nameAttempts) throw generateNameConflict(resourceOf(kind), prepared.metadata.name ?? "", 1);
  }
}

/** What every new object goes through after mutating admission: the kind's preparation and all validation. */
export function prepareNew(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): KubernetesObject {
  const { kind } = scope;
  const { strategy } = kind;
  const context = { now: deps.clock.now(), gates: deps.gates };
  if (object.metadata.resourceVersion) throw new StatusError({ code: 500, reason: "", message: "resourceVersion should not be set on objects to be created" });
  fillSystemMetadata(object.metadata, context.now, deps.random);
  matchNamespace(object.metadata, kind.namespaced ? scope.namespace : "");
  strategy.prepareForCreate?.(object, context);
  const name = object.metadata.name ?? "";
  const groupKind = { group: kind.group, kind: kind.kind };
  const problems = strategy.validateCreate?.(object, context) ?? [];
  if (problems.length > 0) throw invalid(groupKind, name, problems);
  const general = validateObjectMeta(object.metadata, { namespaced: kind.namespaced, checkName: checkPathSegmentName, path: fieldPath("metadata") });
  if (general.length > 0) throw invalid(groupKind, name, general);
  for (const warning of strategy.warningsOnCreate?.(object) ?? []) scope.warn(warning);
  strategy.canonicalize?.(object);
  return object;
}

/** Undefined: the name is taken. */
async function put(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): Promise<Written | undefined> {
  let taken = false;
  const key = objectKey(scope.kind, scope.namespace, object.metadata.name ?? "");
  const written = await write(deps, scope, key, (current) => {
    taken = current !== undefined;
    return Promise.resolve(taken ? { do: "keep", object } : { do: "put", object });
  });
  return taken ? undefined : written;
}

/** Admission sees a namespace as if it were inside itself. */
const namespaceSeen = ({ kind, namespace }: WriteScope, name: string): string => (kind.group === "" && kind.kind === "Namespace" ? name : namespace);

const warnOf = (scope: WriteScope, warning: string | undefined): void => {
  if (warning !== undefined) scope.warn(warning);
};
