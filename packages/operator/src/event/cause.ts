import type { ManagedFieldsEntry } from "@coxswain/apimachinery/meta";
import type { CachedObject } from "@coxswain/client/informers";
import { type ResourceDefinition, resourceName } from "../resource/index.js";
import type { ResourceEvent } from "./resource-event.js";

/** Why an object is reconciled. */
export type Cause = WriteCause | { readonly type: "requeue" | "retry" | "source" };

/** A write that woke the reconciler. */
export interface WriteCause {
  /** `initial`: it was there when the informer started. `resync`: nothing changed. */
  readonly type: "create" | "update" | "delete" | "initial" | "resync";
  /** `deployments.v1.apps` */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  /** The field managers whose fields the write changed, where the object's managedFields show it. */
  readonly managers: readonly string[];
}

interface ManagedObject extends CachedObject {
  readonly metadata?: CachedObject["metadata"] & { readonly managedFields?: readonly ManagedFieldsEntry[] };
}

/** The cause that an event is. Who wrote is only computed when somebody asks: most causes are never read. */
export function causeOf(definition: ResourceDefinition<object>, event: ResourceEvent<CachedObject>): WriteCause {
  return new ObservedCause(definition, event);
}

class ObservedCause implements WriteCause {
  readonly type: WriteCause["type"];
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly #definition: ResourceDefinition<object>;
  readonly #event: ResourceEvent<ManagedObject>;

  constructor(definition: ResourceDefinition<object>, event: ResourceEvent<ManagedObject>) {
    const { metadata } = event.object;
    this.#definition = definition;
    this.#event = event;
    this.type = typeOf(event);
    this.namespace = metadata?.namespace ?? "";
    this.name = metadata?.name ?? "";
    this.resourceVersion = metadata?.resourceVersion ?? "";
  }

  get resource(): string {
    return resourceName(this.#definition);
  }

  get managers(): readonly string[] {
    const after = this.#event.object.metadata?.managedFields ?? [];
    switch (this.type) {
      case "create":
        return names(after);
      case "update": {
        const before = this.#event.type === "update" ? (this.#event.old.metadata?.managedFields ?? []) : [];
        return names(changedEntries(before, after));
      }
      case "delete":
      case "initial":
      case "resync":
        return [];
    }
  }

  toJSON(): object {
    const { type, resource, namespace, name, resourceVersion, managers } = this;
    return { type, resource, namespace, name, resourceVersion, managers };
  }
}

function typeOf(event: ResourceEvent<ManagedObject>): WriteCause["type"] {
  switch (event.type) {
    case "create":
      return event.isInInitialList ? "initial" : "create";
    case "update":
      return event.old.metadata?.resourceVersion === event.object.metadata?.resourceVersion ? "resync" : "update";
    case "delete":
      return "delete";
  }
}

/** Pure: the entries of those who wrote. A manager that only lost fields to another did not write, and keeps its time. */
function changedEntries(
  before: readonly ManagedFieldsEntry[],
  after: readonly ManagedFieldsEntry[],
): ManagedFieldsEntry[] {
  const keyOf = ({ manager, operation, subresource, apiVersion }: ManagedFieldsEntry): string =>
    `${manager}\0${operation}\0${subresource ?? ""}\0${apiVersion}`;
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  return after.filter((entry) => {
    const old = known.get(keyOf(entry));
    return old === undefined || old.time !== entry.time || gains(old.fieldsV1, entry.fieldsV1);
  });
}

/** Whether `after` names a field that `before` does not. */
function gains(before: unknown, after: unknown): boolean {
  if (typeof after !== "object" || after === null) return false;
  const known = (before ?? {}) as Record<string, unknown>;
  return Object.entries(after).some(([field, inner]) => !Object.hasOwn(known, field) || gains(known[field], inner));
}

const names = (entries: readonly ManagedFieldsEntry[]): string[] => [
  ...new Set(entries.map(({ manager = "" }) => manager)),
];

/** `update deployments.v1.apps default/web@41 by kubectl`, for logs and traces. */
export function causeText(cause: Cause): string {
  if (!("resource" in cause)) return cause.type;
  const { type, resource, namespace, name, resourceVersion, managers } = cause;
  const object = namespace === "" ? name : `${namespace}/${name}`;
  const by = managers.length > 0 ? ` by ${managers.join(", ")}` : "";
  return `${type} ${resource} ${object}@${resourceVersion}${by}`;
}
