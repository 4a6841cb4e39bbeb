import { goJson, goNumber } from "../text/go-json.js";
import { quoteGo } from "../text/go-quote.js";

/** The `reason` of a cause in a Status. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTooFew"
  | "FieldValueTooShort"
  | "FieldValueTypeInvalid"
  | "InternalError";

export interface FieldError {
  readonly type: FieldErrorType;
  /** The path as text; `<nil>` where there is none. */
  readonly field: string;
  readonly badValue: unknown;
  readonly detail: string;
  /** Which rule failed, for comparing two validators; no message shows it. */
  readonly origin?: string;
}

const words: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  FieldValueTooShort: "Too short",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

const withoutValue: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "FieldValueTooShort",
  "InternalError",
]);

/** A bad value that no message shows. */
export const omittedValue: unique symbol = Symbol.for("coxswain.omittedValue");

/** A bad value whose text is already made, for what upstream prints in Go's own notation. */
export class Verbatim {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value whose Go type is a named string: upstream prints those as JSON, not quoted as Go does. */
export const namedText = (text: string): Verbatim => new Verbatim(goJson(text));

/** The message without the field, as a cause carries it. */
export function fieldErrorBody(error: FieldError): string {
  const head = words[error.type];
  const shown =
    withoutValue.has(error.type) || error.badValue === omittedValue ? head : `${head}: ${valueText(error.badValue)}`;
  return error.detail === "" ? shown : `${shown}: ${error.detail}`;
}

/** The whole message, `spec.replicas: Invalid value: -1: must be …`. */
export const fieldErrorText = (error: FieldError): string => `${error.field}: ${fieldErrorBody(error)}`;

function valueText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quoteGo(value);
    case "number":
    case "bigint":
      return goNumber(value);
    case "boolean":
      return String(value);
    default:
      return value instanceof Verbatim ? value.text : goJson(value);
  }
}
