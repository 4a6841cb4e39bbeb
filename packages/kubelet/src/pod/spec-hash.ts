import { createHash } from "node:crypto";
import type { CachedContainer } from "../objects/cached-pod.js";

const known = new WeakMap<object, string>();

/** Changes when a running container must be replaced: of what may change in a pod, that is only the image. */
export function specHash(container: CachedContainer): string {
  let hash = known.get(container);
  if (hash === undefined) {
    hash = createHash("sha256")
      .update(JSON.stringify([container.name, container.image]))
      .digest("hex")
      .slice(0, 8);
    known.set(container, hash);
  }
  return hash;
}
