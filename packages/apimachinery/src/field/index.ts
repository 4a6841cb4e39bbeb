export {
  duplicate,
  forbidden,
  internalError,
  invalid,
  notFound,
  notSupported,
  required,
  tooFew,
  tooLong,
  tooLongCharacters,
  tooMany,
  tooShort,
  typeInvalid,
  withOrigin,
} from "./constructors.js";
export {
  type FieldError,
  fieldErrorBody,
  fieldErrorText,
  type FieldErrorType,
  namedText,
  omittedValue,
  Verbatim,
} from "./field-error.js";
export { childOf, FieldPath, fieldPath } from "./field-path.js";
export { aggregateText, fieldErrorCauses, fieldErrorsText } from "./aggregate.js";

export { goFloat, goJson, goNumber } from "../text/go-json.js";
export { isPrintable, quoteGo } from "../text/go-quote.js";
