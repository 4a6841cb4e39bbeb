import type { PolicyInput } from "./policy-input.js";

/** What one validation of a policy, or the policy as a whole, came to. */
export interface PolicyDecision {
  readonly isDenied: boolean;
  /** Why; "" for what is admitted. */
  readonly message: string;
  /** The reason of the refusal. @default Invalid */
  readonly reason?: string;
}

/** An audit annotation: one to publish, one to leave out, or an error that refuses the request. */
export type AnnotationResult =
  | { readonly key: string; readonly action: "publish"; readonly value: string }
  | { readonly key: string; readonly action: "exclude" }
  | { readonly key: string; readonly action: "error"; readonly error: string };

export interface ValidationResult {
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly AnnotationResult[];
}

/** A compiled ValidatingAdmissionPolicy. */
export interface ValidatingEvaluator {
  /** Has no effects, and can be run again. */
  validate(input: PolicyInput): ValidationResult;
}
