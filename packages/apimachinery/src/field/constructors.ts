import { quoteGo } from "../text/go-quote.js";
import { type FieldError, type FieldErrorType, omittedValue } from "./field-error.js";
import type { FieldPath } from "./field-path.js";

type Path = FieldPath | undefined;

const make = (type: FieldErrorType, path: Path, badValue: unknown, detail = ""): FieldError => ({
  type,
  field: path === undefined ? "<nil>" : path.toString(),
  badValue,
  detail,
});

export const required = (path: Path, detail = ""): FieldError => make("FieldValueRequired", path, "", detail);

export const invalid = (path: Path, value: unknown, detail = ""): FieldError =>
  make("FieldValueInvalid", path, value, detail);

export const typeInvalid = (path: Path, value: unknown, detail = ""): FieldError =>
  make("FieldValueTypeInvalid", path, value, detail);

/** The value names something that is not there. */
export const notFound = (path: Path, value: unknown): FieldError => make("FieldValueNotFound", path, value);

export const duplicate = (path: Path, value: unknown): FieldError => make("FieldValueDuplicate", path, value);

export const forbidden = (path: Path, detail = ""): FieldError => make("FieldValueForbidden", path, "", detail);

export const internalError = (path: Path, message: string): FieldError => make("InternalError", path, message, message);

/** The supported values appear in the order given; upstream's callers mostly sort them. */
export function notSupported(path: Path, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(quoteGo).join(", ")}`;
  return make("FieldValueNotSupported", path, value, detail);
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The value is never shown. A negative limit leaves the limit out. */
export const tooLong = (path: Path, maxBytes: number): FieldError =>
  make(
    "FieldValueTooLong",
    path,
    "<value omitted>",
    maxBytes >= 0 ? `may not be more than ${counted(maxBytes, "byte", "bytes")}` : "value is too long",
  );

export const tooLongCharacters = (path: Path, maxCharacters: number): FieldError =>
  make(
    "FieldValueTooLong",
    path,
    "<value omitted>",
    maxCharacters >= 0
      ? `may not be more than ${counted(maxCharacters, "character", "characters")}`
      : "value is too long",
  );

export const tooShort = (path: Path, value: unknown, minCharacters: number): FieldError =>
  make(
    "FieldValueTooShort",
    path,
    value,
    minCharacters >= 0 ? `must be at least ${counted(minCharacters, "character", "characters")}` : "value is too short",
  );

/** A negative `actual` is not shown. */
export const tooMany = (path: Path, actual: number, max: number): FieldError =>
  make(
    "FieldValueTooMany",
    path,
    actual >= 0 ? actual : omittedValue,
    max >= 0 ? `must have at most ${counted(max, "item", "items")}` : "has too many items",
  );

export const tooFew = (path: Path, actual: number, min: number): FieldError =>
  make(
    "FieldValueTooFew",
    path,
    actual,
    min >= 0 ? `must have at least ${counted(min, "item", "items")}` : "has too few items",
  );

export const withOrigin = (errors: readonly FieldError[], origin: string): FieldError[] =>
  errors.map((error) => ({ ...error, origin }));
