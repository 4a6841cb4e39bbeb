import type { Steps } from "@coxswain/runtime/steps";
import { getOwn } from "../own/index.js";
import type { JsonObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { type Atom, atomOf } from "./atom.js";
import { type Comparison, compareObjects } from "./comparison.js";
import { type FieldFilter, filterSet } from "./field-filter.js";
import { NotConvertible } from "./type-mismatch.js";
import { findMismatchInSteps } from "./validate-applied.js";

/**
 * Converts an object (which has its own `apiVersion`) to another version of its kind. Undefined if nobody knows that
 * version any more: what its managers owned is forgotten. The object may be half-way through an apply: not canonical, and
 * with members missing or null that its type always has. So the decoder's walk comes first.
 */
export type ConvertVersion = (
  object: JsonObject,
  apiVersion: string,
) => { readonly object: JsonObject; readonly node: SchemaNode } | undefined;

export interface VersionOptions {
  /** The version in which the objects of a request are written, and its type. */
  readonly apiVersion: string;
  readonly node: SchemaNode;
  /** Without it every other version is unknown. */
  readonly convert?: ConvertVersion | undefined;
  /** Whether objects may not fit their types, as custom resources may, which are decoded without. @default false */
  readonly checked?: boolean | undefined;
  /** What writers may own, by version; all where it names none. */
  readonly filters?: Readonly<Record<string, FieldFilter>> | undefined;
}

export interface Typed {
  readonly object: JsonObject;
  readonly atom: Atom;
  readonly apiVersion: string;
}

/** Objects of one kind in its several versions. */
export interface Versions {
  /** An object in the request's own version. */
  own(object: JsonObject): Typed;
  /** Undefined for a version that nobody knows. `step` begins the error's message. @throws NotConvertible where the object does not fit that version's type */
  convert(typed: Typed, apiVersion: string, step?: string): Steps<Typed | undefined>;
  filter(apiVersion: string): FieldFilter | undefined;
}

export const createVersions = (options: VersionOptions): Versions => new VersionsOf(options);

class VersionsOf implements Versions {
  readonly #options: VersionOptions;

  constructor(options: VersionOptions) {
    this.#options = options;
  }

  own(object: JsonObject): Typed {
    const { apiVersion, node } = this.#options;
    return { object, apiVersion, atom: atomOf(node) };
  }

  *convert(typed: Typed, apiVersion: string, step = ""): Steps<Typed | undefined> {
    if (typed.apiVersion === apiVersion) return typed;
    const converted = this.#options.convert?.(typed.object, apiVersion);
    if (!converted) return undefined;
    const atom = atomOf(converted.node);
    const mismatch = this.#options.checked ? yield* findMismatchInSteps(converted.object, atom) : undefined;
    if (mismatch !== undefined) throw new NotConvertible(step + mismatch);
    return { object: converted.object, apiVersion, atom };
  }

  filter(apiVersion: string): FieldFilter | undefined {
    return getOwn(this.#options.filters, apiVersion);
  }
}

/** How an object changes, in whichever version is asked for; each is compared once. */
export class Change {
  readonly #versions: Versions;
  readonly #before: Typed;
  readonly #after: Typed;
  /** In the version of the request, which all ask for. */
  #own: { readonly comparison: Comparison | undefined } | undefined;
  #others: Map<string, Comparison | undefined> | undefined;

  constructor(versions: Versions, before: Typed, after: Typed) {
    this.#versions = versions;
    this.#before = before;
    this.#after = after;
  }

  /** Undefined for a version that nobody knows. */
  *in(apiVersion: string): Steps<Comparison | undefined> {
    if (apiVersion === this.#after.apiVersion)
      return (this.#own ??= { comparison: yield* this.#compare(apiVersion) }).comparison;
    this.#others ??= new Map();
    if (!this.#others.has(apiVersion)) this.#others.set(apiVersion, yield* this.#compare(apiVersion));
    return this.#others.get(apiVersion);
  }

  *#compare(apiVersion: string): Steps<Comparison | undefined> {
    const before = yield* this.#versions.convert(this.#before, apiVersion, "failed to convert old object: ");
    const after = yield* this.#versions.convert(this.#after, apiVersion, "failed to convert new object: ");
    if (!before || !after) return undefined;
    const comparison = yield* compareObjects(before.object, after.object, before.atom);
    const filter = this.#versions.filter(apiVersion);
    return filter
      ? { changed: yield* filterSet(filter, comparison.changed), removed: yield* filterSet(filter, comparison.removed) }
      : comparison;
  }
}
