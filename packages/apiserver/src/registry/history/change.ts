import type { ObjectMeta } from "@coxswain/apimachinery/meta";

/** `kind: Change` of history.coxswain.dev/v1alpha1. */
export interface Change {
  readonly apiVersion: string;
  readonly kind: "Change";
  readonly metadata: ObjectMeta;
  readonly object: ChangedObject;
  readonly revision: number;
  /** 0: the object was new, or what stood there before is not known. */
  readonly previousRevision: number;
  readonly type: "Created" | "Updated" | "Deleted" | "DeletionRequested";
  readonly verb?: string | undefined;
  readonly subresource?: string | undefined;
  readonly user?: string | undefined;
  readonly manager?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly auditID?: string | undefined;
  /** Why, in words of the client. */
  readonly reason?: string | undefined;
  /** Work items of controllers that made it; none: a person, or another reason. */
  readonly causes: readonly ChangeCause[];
  readonly paths: readonly ChangePath[];
  /** The values are not kept: paths have the number of bytes in place of them. */
  readonly valuesWithheld?: true | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The work item of a controller that made a change, and the changes that had woken it. */
export interface ChangeCause {
  /** The newest of `revisions`. */
  readonly revision?: number;
  readonly revisions: readonly number[];
  readonly component: string;
  readonly queue: string;
  readonly item: string;
  readonly began?: string;
  /** `claimed`: by the client that wrote. `one-of`: it was one of those that are named. */
  readonly certainty: "exact" | "one-of" | "claimed";
}

export interface ChangedObject {
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid?: string | undefined;
}

export interface ChangePath {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}
