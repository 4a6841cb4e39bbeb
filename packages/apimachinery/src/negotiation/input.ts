import { unsupportedMediaType } from "../status/index.js";
import { parseMediaType } from "./content-type.js";
import {
  type MediaType,
  type MediaTypeName,
  mediaTypeNames,
  servedMediaTypes,
  streamMediaTypeNames,
} from "./media-types.js";

export interface InputOptions {
  /** @default what the API server speaks */
  readonly served?: readonly MediaType[];
  /** The body is a stream of objects. @default false */
  readonly streaming?: boolean;
}

/** The form a request's body is in; an absent or empty Content-Type means the first one, JSON. Throws 415 UnsupportedMediaType. */
export function negotiateInput(contentType: string | undefined, options: InputOptions = {}): MediaTypeName {
  const served = options.served ?? servedMediaTypes;
  const name = contentType === undefined || contentType === "" ? served[0]?.name : parseMediaType(contentType);
  const found = served.find((type) => type.name === name);
  if (!found)
    throw unsupportedMediaType(options.streaming === true ? streamMediaTypeNames(served) : mediaTypeNames(served));
  return found.name;
}

export const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
] as const;
export type PatchType = (typeof patchTypes)[number];

/** Custom resources have no strategic merge. */
export const customResourcePatchTypes: readonly PatchType[] = patchTypes.filter(
  (type) => type !== "application/strategic-merge-patch+json",
);

/** The kind of patch. Upstream only cuts parameters off; it neither trims nor folds case here. Throws 415 UnsupportedMediaType. */
export function negotiatePatch(contentType: string | undefined, served: readonly PatchType[] = patchTypes): PatchType {
  const text = contentType ?? "";
  const semicolon = text.indexOf(";");
  const name = semicolon > 0 ? text.slice(0, semicolon) : text;
  const found = served.find((type) => type === name);
  if (!found) throw unsupportedMediaType(served);
  return found;
}
