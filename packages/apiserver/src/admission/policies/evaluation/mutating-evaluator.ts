import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { ConditionsVerdict } from "./match-conditions.js";
import type { PolicyInput } from "./policy-input.js";

/** A mutation cannot be made; the failure policy decides what that means. */
export class MutationError extends Error {}

/** A compiled MutatingAdmissionPolicy. Nothing of it has effects, and all can be run again. */
export interface MutatingEvaluator {
  match(input: PolicyInput): ConditionsVerdict;
  /** In order; each sees what those before it changed. */
  readonly mutations: readonly Mutate[];
}

/**
 * The object of the input, which is there, with the mutation made: a new one, or the same where nothing is to be done.
 * `schema`: what the object is merged by. @throws MutationError
 */
export type Mutate = (input: PolicyInput, schema: SchemaNode) => KubernetesObject;
