import { encodeUtf8 } from "../text/utf8-bytes.js";
import { type MetadataPlaces, placesOf } from "./metadata-places.js";

/** A stretch of bytes, and the text that takes its place. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The bytes with another resourceVersion in them, put in its canonical place if there was none. Throws if there is no metadata. */
export function spliceResourceVersion(
  bytes: Uint8Array,
  resourceVersion: number | string,
  places: MetadataPlaces = placesOf(bytes),
): Uint8Array {
  return replaceBytes(bytes, findResourceVersion(bytes, resourceVersion, places));
}

/** Where `spliceResourceVersion` puts what, for those who write the outcome somewhere themselves. */
export function findResourceVersion(
  bytes: Uint8Array,
  resourceVersion: number | string,
  places: MetadataPlaces = placesOf(bytes),
): Splice {
  const { resourceVersionStart: start, resourceVersionEnd: end } = places;
  if (places.hasResourceVersion) return { start, end, text: `${resourceVersion}` };
  const first = start === places.metadataStart + 1;
  const lonely = bytes[places.metadataStart + 1] === 0x7d;
  const member = `"resourceVersion":"${resourceVersion}"`;
  return { start, end, text: first ? (lonely ? member : `${member},`) : `,${member}` };
}

/** The bytes without metadata.managedFields; the same bytes if there are none. */
export function withoutManagedFields(bytes: Uint8Array, places: MetadataPlaces = placesOf(bytes)): Uint8Array {
  const { managedFieldsStart: start, managedFieldsEnd: end } = places;
  return start < 0 ? bytes : replaceBytes(bytes, { start, end, text: "" });
}

function replaceBytes(bytes: Uint8Array, { start, end, text }: Splice): Uint8Array {
  const inserted = encodeUtf8(text);
  const result = new Uint8Array(bytes.length - (end - start) + inserted.length);
  result.set(bytes.subarray(0, start));
  result.set(inserted, start);
  result.set(bytes.subarray(end), start + inserted.length);
  return result;
}

/** How long the bytes are with a text of ASCII in the stretch's place. */
export const splicedLength = (bytes: Uint8Array, { start, end, text }: Splice): number =>
  bytes.length - (end - start) + text.length;

/** Writes the bytes with a text of ASCII in the stretch's place, from `at` on. */
export function writeSpliced(bytes: Uint8Array, { start, end, text }: Splice, target: Uint8Array, at: number): void {
  target.set(bytes.subarray(0, start), at);
  for (let i = 0; i < text.length; i++) target[at + start + i] = text.charCodeAt(i);
  target.set(bytes.subarray(end), at + start + text.length);
}
