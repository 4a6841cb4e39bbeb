import { DecodeError } from "@coxswain/apimachinery/json";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { coerceEmbedded, isObject, type JsonObject, readStructural } from "@coxswain/apimachinery/structural-schema";

/** A resource of which nothing is known but that it has metadata. */
const anyResource = readStructural({});

/** The metadata of a custom resource in canonical form. @throws DecodeError */
export function decodeMetadata(
  metadata: unknown,
  { objectMeta, dropInvalid }: { readonly objectMeta: SchemaNode; readonly dropInvalid: boolean },
): { readonly metadata: JsonObject; readonly unknown: readonly string[] } {
  const { object, unknown, error } = coerceEmbedded({ metadata }, anyResource, { objectMeta, root: true, dropInvalid });
  if (error) throw new DecodeError(error.detail);
  if (!isObject(object.metadata)) throw new DecodeError("invalid metadata: expected object");
  return { metadata: object.metadata, unknown };
}
