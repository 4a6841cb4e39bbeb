import type { FieldError } from "@coxswain/apimachinery/field";
import { runAtOnce, type Steps } from "@coxswain/runtime/steps";

/** What is wrong with an object; in steps where finding it may take so long that other work must run meanwhile. */
export type FieldErrors = FieldError[] | Steps<FieldError[]>;

/** All of it, uninterrupted. */
export const fieldErrorsAtOnce = (errors: FieldErrors | undefined): FieldError[] =>
  errors === undefined || Array.isArray(errors) ? (errors ?? []) : runAtOnce(errors);
