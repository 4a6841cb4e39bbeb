import { locateMetadata } from "@coxswain/apimachinery/object";

/** The metadata of an encoded object, braces included; a view. */
export function metadataBytes(bytes: Uint8Array): Uint8Array {
  const places = locateMetadata(bytes);
  if (!places) throw new Error("a stored object has no metadata");
  return bytes.subarray(places.metadataStart, places.metadataEnd);
}
