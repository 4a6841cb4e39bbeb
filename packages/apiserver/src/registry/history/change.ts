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
  readonly verb?: string;
  readonly subresource?: string;
  readonly user?: string;
  readonly manager?: string;
  readonly userAgent?: string;
  readonly auditID?: string;
  /** What the client claims to have acted on. */
  readonly claimedCause?: string;
  readonly paths: readonly ChangePath[];
  /** The values are not kept: paths have the number of bytes in place of them. */
  readonly valuesWithheld?: true;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface ChangedObject {
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

export interface ChangePath {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}
