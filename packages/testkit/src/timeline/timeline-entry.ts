import type { ChangedPath } from "@coxswain/apimachinery/object";

/** A change of an object. */
export interface WriteEntry {
  readonly is: "write";
  readonly revision: number;
  /** Milliseconds since 1970, by the cluster's clock. */
  readonly time: number;
  /** Who wrote, as RBAC sees it; for deletions by the server itself, such as expired leases, "server". */
  readonly writer: string;
  readonly verb: string;
  readonly manager?: string;
  readonly change: "create" | "update" | "delete";
  /** "Deployment default/web" */
  readonly object: string;
  readonly kind: string;
  readonly changes: readonly ChangedPath[];
}

/** A reconcile: a worker had an item of a work queue. */
export interface WorkEntry {
  readonly is: "work";
  readonly time: number;
  /** Undefined: it is still under way. */
  readonly ended?: number;
  readonly queue: string;
  readonly item: string;
  /** Revisions of writes that woke it. */
  readonly wokenBy: readonly number[];
  /** Revisions of writes that it made, as far as that is certain. */
  readonly wrote: readonly number[];
  /** The store's revision when it began: it comes after that write. */
  readonly after: number;
}

export type TimelineEntry = WriteEntry | WorkEntry;
