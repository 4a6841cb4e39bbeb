/** `kind: Explanation`: a question about an object, one of its members, a change or a request, and the answer. */
export interface ExplanationSpec {
  /** Why is it as it is, why is it here, or why is it gone. */
  readonly object?: {
    readonly apiVersion?: string;
    /** One of the two. */
    readonly kind?: string;
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  /** The last change of this member, such as spec.replicas. */
  readonly path?: string;
  /** Of a change of the object. @default the one that made it, or that deleted it */
  readonly revision?: number;
  /** A request by its Audit-Id: where its time went. */
  readonly auditID?: string;
}

export interface ExplanationStatus {
  /** Each step is the cause of the one before it. */
  readonly chain: readonly ExplanationStep[];
  /** Where it ends: with somebody's request, time, a node, a measurement; `unknown`: the history does not have it. */
  readonly end: ExplanationEnd;
  /** What else there is to know: which node, and why. */
  readonly notes: readonly string[];
}

export type ExplanationEnd = "person" | "clock" | "node" | "measurement" | "unknown";

export interface ExplanationStep {
  readonly text: string;
  /** `probable`: by owner and order, not by what a controller was seen to do. */
  readonly certainty?: "exact" | "one-of" | "claimed" | "probable";
  readonly change?: {
    readonly name: string;
    readonly namespace?: string;
    readonly revision: number;
    readonly time?: string;
    readonly user?: string;
    readonly manager?: string;
    readonly userAgent?: string;
    readonly auditID?: string;
  };
}
