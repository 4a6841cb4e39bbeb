import type { CachedPod } from "../objects/cached-pod.js";

/** A pod's worker, as the parts that it has for one task each see it: there are many workers, so that none has closures of its own. */
export interface WorkedPod {
  /** As it is now. */
  pod(): CachedPod;
  podIPs(): readonly string[];
  /** Something has changed. */
  wake(): void;
  /** Something is due at this time. */
  wakeAt(at: number): void;
}
