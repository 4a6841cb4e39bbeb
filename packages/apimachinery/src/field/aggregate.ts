import { type FieldError, fieldErrorBody, fieldErrorText } from "./field-error.js";

/** Texts joined as upstream's Aggregate does: repeated ones once, several in brackets. Undefined for none. */
export function aggregateText(messages: readonly string[]): string | undefined {
  const seen = new Set(messages);
  if (seen.size === 0) return undefined;
  const joined = [...seen].join(", ");
  return seen.size === 1 ? joined : `[${joined}]`;
}

export const fieldErrorsText = (errors: readonly FieldError[]): string | undefined =>
  aggregateText(errors.map(fieldErrorText));

/** The causes of an Invalid status. Unlike the message they keep repetitions, as upstream's do. */
export const fieldErrorCauses = (errors: readonly FieldError[]): { reason: string; message: string; field: string }[] =>
  errors.map((error) => ({ reason: error.type, message: fieldErrorBody(error), field: error.field }));
