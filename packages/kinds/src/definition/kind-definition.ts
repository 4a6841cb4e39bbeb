import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { SchemaNode, TypeRegistry } from "@coxswain/apimachinery/schema";
import type { Steps } from "@coxswain/runtime/steps";
import type { ColumnSet } from "./columns.js";
import type { NumberAnnotation } from "./number-annotation.js";
import type { ResourceFacts } from "./resource-facts.js";
import type { StoredForm } from "./stored-form.js";
import type { DeletionOptions, Strategy, UpdateStrategy } from "./strategy.js";

/**
 * What a kind is and does. A built-in kind exports one of these from its `kind.ts`; a CustomResourceDefinition makes one per
 * version at run time, so that the server treats both alike.
 * `T` is the object in its hub version; the server holds `KindDefinition` without it.
 */
export interface KindDefinition<T = unknown> {
  readonly group: string;
  /** The hub version: what strategies and admission see. */
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** Plural, as in paths. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly schema: SchemaNode;
  /** The tables that `schema` and the types of metadata are of. @default Kubernetes' own */
  readonly types?: TypeRegistry;
  /** A built-in kind by other tables: a server may know members of metadata that others do not. */
  readonly withTypes?: (types: TypeRegistry) => KindDefinition<T>;
  /** Names, verbs, subresources and life cycle. */
  readonly facts: ResourceFacts;
  /** Where the objects stand in the store: `/registry/<prefix>/…`. */
  readonly storagePrefix: string;
  /** Where the objects are stored in another version than this one, or may be. @default as they are */
  readonly storedForm?: StoredForm;
  /** The type by which server-side apply merges, where it knows more of the object than `schema`. @default schema */
  readonly applySchema?: SchemaNode;
  /** The type by which a client's body is decoded, where that is looser than `schema`. @default schema */
  readonly bodySchema?: SchemaNode;
  /**
   * What the first object of the kind needs, done in steps before a request for it: whatever is not prepared then is done at once.
   * Returns about how many bytes defaults add to an object. @default nothing is needed
   */
  readonly prepare?: () => Steps<number>;
  /**
   * Brings a decoded body into the form that `schema` describes: prunes. Changes the object in place, before its defaults
   * are set, and returns the paths of the members that were dropped, for strict field validation. `keepsNulls`: members
   * that are null and must not be are left for validation to refuse, as of what is applied. @throws DecodeError
   */
  readonly normalizeSent?: (object: T, options?: { readonly keepsNulls?: boolean }) => readonly string[];
  /** The same for what another version was converted to. */
  readonly normalizeConverted?: (object: T) => void;
  /** Where the replicas are that the view `scale` shows. Built-in kinds have them in the usual places. */
  readonly scale?: ScalePaths;
  /** Sets what the client left out. Changes the object in place; runs after every decode. */
  readonly setDefaults?: (object: T) => void;
  /**
   * Brings what the store holds in line with today's schema, which may have changed since it was written: prunes, sets
   * defaults. Changes the object in place. Built-in kinds need none.
   */
  readonly normalizeStored?: (object: T) => void;
  readonly strategy: Strategy<T>;
  /** Other views of the same stored object: `status`, `finalize`, …; read, replaced and patched like the object itself. */
  readonly views: Readonly<Record<string, UpdateStrategy<T>>>;
  readonly columns: ColumnSet<T>;
  /** Fields that selectors may name besides metadata.name and metadata.namespace, with the object's values. */
  readonly selectableFields?: SelectableFields<T>;
  /** The selectable field by which the watch cache indexes watchers (pods: spec.nodeName). */
  readonly indexedField?: string;
  /** See its own file. */
  readonly numberAnnotation?: NumberAnnotation;
  /** A finished delete answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** Why the object of this name is never deleted. A deletion of the whole collection does not ask. */
  readonly refuseDeletion?: (name: string) => string | undefined;
  /** Why no object is created now: the definition of a custom resource is going away. @default objects are created */
  readonly refuseCreation?: string;
  /** Warnings in the response to a delete. */
  readonly warningsOnDelete?: (options: DeletionOptions) => string[];
  /** Other forms in which the same objects are served. @default none */
  readonly versions?: readonly KindVersion<T>[];
}

/**
 * Another form of a kind's objects: another version, or another group's.
 * What a client sends is decoded by its `schema`, gets its `setDefaults`, and goes through `toHub`; from there on it is an object
 * like any other, except that the hub's `setDefaults` has not run (it runs before the object is stored). Strategies receive the
 * form in `StrategyContext.apiVersion`. Every answer goes through `fromHub`. Stored is the hub alone.
 */
export interface KindVersion<T = unknown> {
  readonly group: string;
  readonly version: string;
  readonly schema: SchemaNode;
  /** The same by other tables, as of the kind. */
  readonly withTypes?: (types: TypeRegistry) => KindVersion<T>;
  readonly facts: ResourceFacts;
  /** Changes the object in place. */
  readonly setDefaults?: (object: KubernetesObject) => void;
  /** Leaves what it is given as it is, and answers a canonical object of its own. */
  toHub(object: DeepReadonly<KubernetesObject>): T;
  /** Leaves what it is given as it is, and answers a canonical object of its own. */
  fromHub(object: DeepReadonly<T>): KubernetesObject;
  /** The fields that selectors may name in this form besides those of metadata: the hub's name for each. @default the hub's fields */
  readonly selectableFields?: Readonly<Record<string, string>>;
}

/** Members' names from the object down to a value. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** A label selector as a text. @default none */
  readonly labelSelector?: readonly string[];
}

export interface SelectableFields<T> {
  readonly names: readonly string[];
  values(object: T): Readonly<Record<string, string>>;
  /** Older names that still work: the name of today. */
  convert?(field: string): string | undefined;
  /** The message for a field that selectors may not name. @default "field label not supported: …" */
  unknownText?(field: string): string;
}

/** The definition with its object type forgotten: what the server holds in its maps. */
// oxlint-disable-next-line typescript/no-explicit-any -- strategies take T both ways, so only `any` lets every definition in.
export type AnyKind = KindDefinition<any>;
