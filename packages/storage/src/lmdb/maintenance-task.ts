import type { Writer } from "./environment.js";
import type { StoreMeta } from "./store-meta.js";

/**
 * Background work in small steps, each part of a commit or a commit of its own when nobody writes. A step takes effect when its
 * commit is durable. It follows what is visible already: one that followed a compaction of the same commit would remove what
 * readers may still ask for.
 */
export interface MaintenanceTask {
  /** Whether there is something to do in a commit that brings the file to the revision `reached`. */
  due(meta: StoreMeta, reached: number): boolean;
  /** Adds a step to the commit. */
  step(writer: Writer, meta: StoreMeta): MaintenanceStep;
}

export interface MaintenanceStep {
  readonly changes: Partial<StoreMeta>;
  /** Called when the commit is durable. */
  done(): void;
}
