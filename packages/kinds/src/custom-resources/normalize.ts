import { fieldErrorText } from "@coxswain/apimachinery/field";
import { DecodeError } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import {
  applyDefaults,
  coerceEmbedded,
  dropNulls,
  isObject,
  type JsonObject,
  pruneUnknown,
  type Structural,
} from "@coxswain/apimachinery/structural-schema";
import { decodeMetadata } from "./decode-metadata.js";

export interface NormalizeOptions {
  /** Undefined where the definition has none, or none that is structural. */
  readonly schema: Structural | undefined;
  /** Whether the whole definition keeps unknown members (spec.preserveUnknownFields). */
  readonly keepsUnknown: boolean;
  /** The type of `metadata`. */
  readonly objectMeta: SchemaNode;
  /** Drop metadata that cannot be read rather than fail: for what is already stored. @default false */
  readonly dropInvalid?: boolean;
  /** Leave members that are null and must not be for validation to refuse. @default false */
  readonly keepsNulls?: boolean;
}

export interface Normalized {
  readonly object: JsonObject;
  /** Paths of the members that were dropped, as strict field validation reports them. */
  readonly unknown: readonly string[];
}

/** An object without what its schema does not know, metadata in canonical form. Shares what needs no change. @throws DecodeError */
export function normalize(given: JsonObject, options: NormalizeOptions): Normalized {
  const { schema, keepsUnknown, objectMeta, dropInvalid = false, keepsNulls = false } = options;
  const metadata = getOwn<unknown>(given, "metadata");
  const meta = metadata === undefined ? undefined : decodeMetadata(metadata, { objectMeta, dropInvalid });
  const own: JsonObject = meta ? { ...given, metadata: meta.metadata } : given;
  const pruned = keepsUnknown || !schema ? { object: own, unknown: [] } : pruneUnknown(own, schema);
  const object = keepsUnknown || keepsNulls || !schema ? pruned.object : dropNulls(pruned.object, schema);
  const coerced = schema ? coerceEmbedded(object, schema, { objectMeta, dropInvalid }) : undefined;
  if (coerced?.error) throw new DecodeError(fieldErrorText(coerced.error));
  return {
    object: coerced?.object ?? object,
    unknown: [...(meta?.unknown ?? []), ...pruned.unknown, ...(coerced?.unknown ?? [])],
  };
}

/** What the store holds, in the version it was written in: pruned, with today's defaults. */
export function normalizeStored(given: JsonObject, options: NormalizeOptions): JsonObject {
  const { object } = normalize(given, { ...options, dropInvalid: true });
  const { schema } = options;
  return withGeneration(schema ? applyDefaults(object, schema) : object);
}

/** Very old objects have no generation. */
function withGeneration(object: JsonObject): JsonObject {
  const metadata = getOwn<unknown>(object, "metadata");
  return isObject(metadata) && !metadata["generation"]
    ? { ...object, metadata: { ...metadata, generation: 1 } }
    : object;
}
