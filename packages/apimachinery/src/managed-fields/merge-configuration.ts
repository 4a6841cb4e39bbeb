import { append } from "../append/index.js";
import { getOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { type Atom, atomOf, kindOf } from "./atom.js";
import { mergeApplied } from "./gen/merge.js";
import { findMismatch } from "./gen/validate-applied.js";

/** A configuration cannot be merged into an object, in upstream's words. */
export class MergeConfigurationError extends Error {}

/**
 * An object with a configuration laid over it, by the type, without any account of who owns what: how mutating admission
 * policies change objects. Lists, maps and objects that are atomic cannot be part of a configuration: what it does not
 * name in them would be lost. What it does not touch is shared with `live`.
 * @throws MergeConfigurationError
 */
export function mergeConfiguration(live: JsonObject, configuration: JsonObject, node: SchemaNode): JsonObject {
  const atom = atomOf(node);
  const mismatch = findMismatch(configuration, atom);
  if (mismatch !== undefined)
    throw new MergeConfigurationError(`failed to convert patch object to typed object: ${mismatch}`);
  const atomics = findAtomics(configuration, atom, "");
  if (atomics.length > 0)
    throw new MergeConfigurationError(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`,
    );
  const misfit = findMismatch(live, atom, { duplicates: true });
  if (misfit !== undefined)
    throw new MergeConfigurationError(`failed to convert original object to typed object: ${misfit}`);
  return mergeApplied(live, configuration, atom);
}

/** The paths of values that are atomic. Values of maps are not looked into, as upstream has it (sigs.k8s.io/structured-merge-diff/v6/typed/tofieldset.go, visitMapItems). */
function findAtomics(value: unknown, atom: Atom, path: string): string[] {
  const kind = kindOf(value, atom);
  const found: string[] = [];
  if (kind === "map" && atom.map && isObject(value)) {
    if (atom.map.atomic) found.push(path);
    for (const name of Object.keys(value)) {
      const field = atom.map.byName.get(name);
      if (field) append(found, findAtomics(getOwn<unknown>(value, name), field.atom, `${path}.${name}`));
    }
  }
  if (kind === "list" && atom.list && isList(value)) {
    const { associative, element } = atom.list;
    if (!associative) found.push(path);
    for (const [index, item] of value.entries()) append(found, findAtomics(item, element, `${path}[${index}]`));
  }
  return found;
}
