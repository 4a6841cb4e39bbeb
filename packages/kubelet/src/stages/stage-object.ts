import type { ObjectMeta } from "@coxswain/api/meta/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/** KWOK's Stage, as its CustomResourceDefinition has it (kwok.x-k8s.io/v1alpha1 of KWOK 0.8). */
export interface StageObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: DeepReadonly<ObjectMeta>;
  readonly spec?: StageSpec;
}

export interface StageSpec {
  readonly resourceRef?: { readonly apiGroup?: string; readonly kind?: string };
  /** None: the Stage selects nothing. */
  readonly selector?: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchAnnotations?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly MatchExpression[];
  } | null;
  readonly weight?: number;
  readonly weightFrom?: ExpressionFrom;
  readonly delay?: {
    readonly durationMilliseconds?: number;
    readonly durationFrom?: ExpressionFrom;
    readonly jitterDurationMilliseconds?: number;
    readonly jitterDurationFrom?: ExpressionFrom;
  };
  /** The older form of `steps`; not read where there are some. */
  readonly next?: {
    readonly event?: StageEvent;
    readonly finalizers?: StageFinalizers;
    readonly delete?: boolean;
    readonly patches?: readonly StagePatch[];
    readonly statusTemplate?: string;
    readonly statusSubresource?: string;
    readonly statusPatchAs?: unknown;
  };
  readonly steps?: readonly StageStep[];
  readonly immediateNextStage?: boolean;
}

export interface StageStep {
  readonly event?: StageEvent;
  readonly finalizers?: StageFinalizers;
  readonly delete?: boolean;
  readonly patch?: StagePatch;
  readonly apply?: unknown;
}

export interface MatchExpression {
  readonly jq?: { readonly key?: string; readonly operator?: string; readonly values?: readonly string[] };
  readonly cel?: unknown;
  /** The older form of `jq`. */
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface ExpressionFrom {
  readonly jq?: { readonly expression?: string };
  readonly cel?: unknown;
  /** The older form of `jq`. */
  readonly expressionFrom?: string;
}

export interface StageEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface StageFinalizers {
  readonly add?: readonly { readonly value?: string }[];
  readonly remove?: readonly { readonly value?: string }[];
  readonly empty?: boolean;
}

export interface StagePatch {
  readonly subresource?: string;
  readonly root?: string;
  readonly template?: string;
  readonly type?: string;
  readonly impersonation?: unknown;
}

/** A Stage that cannot be played here, and the place of it that is why. */
export class StageError extends Error {
  override readonly name = "StageError";
  constructor(stage: string, place: string, problem: string, options?: ErrorOptions) {
    super(`Stage ${stage}: ${place}: ${problem}`, options);
  }
}
