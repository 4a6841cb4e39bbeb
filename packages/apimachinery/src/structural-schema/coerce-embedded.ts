import { childOf, type FieldError, FieldPath, invalid } from "../field/index.js";
import { decodeJson } from "../json/decode.js";
import { DecodeError } from "../json/decode-error.js";
import { encodeJson } from "../json/encode.js";
import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { mapItems, mapMembers } from "./prune.js";
import { hasEmbedded } from "./schema-has.js";
import { sortedMembers } from "./sorted-members.js";
import { asResourceRoot, type Structural } from "./structural.js";

export interface CoerceOptions {
  /** The type of `metadata`. */
  readonly objectMeta: SchemaNode;
  /** Whether the object's own metadata is looked at too, not only that of objects inside it. @default false */
  readonly root?: boolean;
  /** Drop what cannot be read rather than fail: for objects already stored. @default false */
  readonly dropInvalid?: boolean;
  /** Of the value, where it is a part of something. */
  readonly path?: FieldPath;
}

export interface Coerced<T> {
  readonly object: T;
  /** Members of metadata that nobody knows; they are dropped. */
  readonly unknown: readonly string[];
  readonly error: FieldError | undefined;
}

/** Objects inside an object (x-kubernetes-embedded-resource): their metadata in canonical form, their version and kind as texts. */
export function coerceEmbedded<T>(object: T, schema: Structural, options: CoerceOptions): Coerced<T> {
  const run = new Coercion(options);
  const coerced = run.value(object, options.root ? asResourceRoot(schema) : schema, options.path);
  return { object: run.error ? object : (coerced as T), unknown: run.unknown.sort(compareUtf8), error: run.error };
}

class Coercion {
  readonly unknown: string[] = [];
  error: FieldError | undefined;
  readonly #options: CoerceOptions;

  constructor(options: CoerceOptions) {
    this.#options = options;
  }

  value(value: unknown, schema: Structural | undefined, path: FieldPath | undefined): unknown {
    if (schema === undefined || this.error || typeof value !== "object" || !hasEmbedded(schema)) return value;
    if (isList(value)) return mapItems(value, (item, index) => this.value(item, schema.items, path?.index(index)));
    if (!isObject(value)) return value;
    return mapMembers(value, (member, name) => {
      const meta = schema.embeddedResource ? this.#meta(member, name, path) : member;
      const own = schema.properties.get(name);
      if (own) return this.value(meta, own, childOf(path, name));
      const rest = schema.additionalProperties;
      return typeof rest === "object" ? this.value(meta, rest, path ? path.key(name) : FieldPath.of(name)) : meta;
    });
  }

  #meta(member: unknown, name: string, path: FieldPath | undefined): unknown {
    if (name === "apiVersion" || name === "kind") {
      if (typeof member === "string") return member;
      if (!this.#options.dropInvalid)
        this.error ??= invalid(childOf(path, name), sortedMembers(member), "must be a string");
      return this.#options.dropInvalid ? undefined : member;
    }
    return name === "metadata" ? this.#metadata(member, childOf(path, name)) : member;
  }

  #metadata(metadata: unknown, path: FieldPath): unknown {
    try {
      return this.#decode(metadata, path);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      if (this.#options.dropInvalid) return isObject(metadata) ? this.#decodeSingly(metadata, path) : metadata;
      this.error ??= invalid(path, sortedMembers(metadata), error.message);
      return metadata;
    }
  }

  #decode(metadata: unknown, path: FieldPath): JsonObject {
    const { object, warnings } = decodeJson(encodeJson(sortedMembers(metadata)), this.#options.objectMeta, {
      strict: true,
    });
    for (const warning of warnings) {
      const field = /^unknown field "(.*)"$/.exec(warning)?.[1];
      if (field !== undefined) this.unknown.push(`${path.toString()}.${field}`);
    }
    return object as JsonObject;
  }

  /** Member by member, without those that cannot be read. */
  #decodeSingly(metadata: JsonObject, path: FieldPath): JsonObject {
    const good: Record<string, unknown> = {};
    for (const name of Object.keys(metadata)) {
      const single: Record<string, unknown> = {};
      setOwn(single, name, getOwn<unknown>(metadata, name));
      try {
        Object.assign(good, this.#decode(single, path));
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error; // what cannot be read is dropped: the caller asked for it
      }
    }
    return good;
  }
}
