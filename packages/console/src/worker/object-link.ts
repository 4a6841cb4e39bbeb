import type { ObjectRef } from "../contract/messages.js";
import { resourceKey } from "../contract/paths.js";

/** The address of an object's view. */
export const objectLink = (ref: ObjectRef): string =>
  `#/o/${resourceKey(ref)}/${ref.namespace === "" ? "_" : encodeURIComponent(ref.namespace)}/${encodeURIComponent(ref.name)}`;
