import { createHash } from "node:crypto";
import type { CachedContainer } from "../objects/cached-pod.js";

/** By what is hashed. Not by container, of which each state of a pod has its own. */
const known = new Map<string, string>();
const maxKnown = 1000;

/** Changes when a running container must be replaced: of what may change in a pod, that is only the image. */
export function specHash({ name, image }: CachedContainer): string {
  const text = JSON.stringify([name, image]);
  let hash = known.get(text);
  if (hash === undefined) {
    if (known.size >= maxKnown) known.clear();
    hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
    known.set(text, hash);
  }
  return hash;
}
