import { type FieldError, fieldErrorBody } from "./field-error.js";

/** Texts joined as upstream's Aggregate does (k8s.io/apimachinery/pkg/util/errors/errors.go, Error): repeated ones once, several in brackets. Undefined for none. */
export function aggregateText(messages: readonly string[]): string | undefined {
  const seen = new Set(messages);
  if (seen.size === 0) return undefined;
  const joined = [...seen].join(", ");
  return seen.size === 1 ? joined : `[${joined}]`;
}

/**
 * Of all messages together, in characters. Each error shows the value that it is about, which may be a whole list, and each element of
 * that list may have one: a hundred thousand owners would be a message of gigabytes. Upstream writes it.
 */
const mostCharacters = 1 << 20;

/** The errors that are reported, with their messages: all of them, unless those are longer than anybody reads. */
function reported(errors: readonly FieldError[]): { readonly error: FieldError; readonly body: string }[] {
  const found: { error: FieldError; body: string }[] = [];
  let characters = 0;
  for (const error of errors) {
    if (characters > mostCharacters) break;
    const body = fieldErrorBody(error);
    characters += error.field.length + body.length;
    found.push({ error, body });
  }
  return found;
}

export function fieldErrorsText(errors: readonly FieldError[]): string | undefined {
  const texts = reported(errors).map(({ error, body }) => `${error.field}: ${body}`);
  const more = errors.length - texts.length;
  return aggregateText(more === 0 ? texts : [...texts, `and ${more} more`]);
}

/** The causes of an Invalid status. Unlike the message they keep repetitions, as upstream's do (k8s.io/apimachinery/pkg/api/errors/errors.go, NewInvalid). */
export const fieldErrorCauses = (errors: readonly FieldError[]): { reason: string; message: string; field: string }[] =>
  reported(errors).map(({ error, body }) => ({ reason: error.type, message: body, field: error.field }));
