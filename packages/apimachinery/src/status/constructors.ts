import { type FieldError, fieldErrorCauses, fieldErrorsText, quoteGo } from "../field/index.js";
import { formatGroupKind, formatGroupResource, type GroupKind, type GroupResource } from "../meta/group-version.js";
import type { StatusCause, StatusDetails } from "./status.js";
import { StatusError } from "./status-error.js";

// Messages, codes and details are those of k8s.io/apimachinery/pkg/api/errors, to the letter: clients and people read them.

interface DetailFacts {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** Empty members are left out, as Go's omitempty does; the object itself stays even when it has none. */
const details = ({ name, group, kind, uid, causes, retryAfterSeconds }: DetailFacts): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(group ? { group } : {}),
  ...(kind ? { kind } : {}),
  ...(uid ? { uid } : {}),
  ...(causes && causes.length > 0 ? { causes } : {}),
  ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
});

const detailsOf = ({ group, resource }: GroupResource, name: string, more: DetailFacts = {}): StatusDetails =>
  details({ ...more, group, kind: resource, name });

/** 404: there is no such object. */
export const notFound = (resource: GroupResource, name: string): StatusError =>
  new StatusError({
    code: 404,
    reason: "NotFound",
    message: `${formatGroupResource(resource)} ${quoteGo(name)} not found`,
    details: detailsOf(resource, name),
  });

/** 409: an object of that name is there. */
export const alreadyExists = (resource: GroupResource, name: string): StatusError =>
  new StatusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${formatGroupResource(resource)} ${quoteGo(name)} already exists`,
    details: detailsOf(resource, name),
  });

/** 409: every generated name was taken. */
export const generateNameConflict = (resource: GroupResource, name: string, retryAfterSeconds: number): StatusError =>
  new StatusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${formatGroupResource(resource)} ${quoteGo(name)} already exists, the server was not able to generate a unique name for the object`,
    details: detailsOf(resource, name, { retryAfterSeconds }),
  });

/** 409: the object changed, or a precondition failed; `why` is the end of the message. */
export const conflict = (resource: GroupResource, name: string, why: string): StatusError =>
  new StatusError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quoteGo(name)}: ${why}`,
    details: detailsOf(resource, name),
  });

/** The message of `conflict` when the resourceVersion of a write is no longer the stored one. */
export const objectModified =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 409: fields are owned by other managers. */
export const applyConflict = (causes: readonly StatusCause[], message: string): StatusError =>
  new StatusError({ code: 409, reason: "Conflict", message, details: details({ causes }) });

/** 401. */
export const unauthorized = (message = "", options?: { cause?: unknown }): StatusError =>
  new StatusError({ code: 401, reason: "Unauthorized", message: message === "" ? "not authorized" : message }, options);

/** 403: `why` is the end of the message. */
export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const subject = formatGroupResource(resource);
  let message = `${subject} ${quoteGo(name)} is forbidden: ${why}`;
  if (resource.group === "" && resource.resource === "") message = `forbidden: ${why}`;
  else if (name === "") message = `${subject} is forbidden: ${why}`;
  return new StatusError({ code: 403, reason: "Forbidden", message, details: detailsOf(resource, name) });
}

/** 422: the object breaks rules; every field error is a cause. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const subject = `${formatGroupKind(kind)} ${quoteGo(name)} is invalid`;
  const texts = fieldErrorsText(errors);
  return new StatusError({
    code: 422,
    reason: "Invalid",
    message: texts === undefined ? subject : `${subject}: ${texts}`,
    details: details({ group: kind.group, kind: kind.kind, name, causes: fieldErrorCauses(errors) }),
  });
}

/** 400. */
export const badRequest = (message: string, options?: { cause?: unknown }): StatusError =>
  new StatusError({ code: 400, reason: "BadRequest", message }, options);

/** 405: `action` as upstream names it (k8s.io/apimachinery/pkg/api/errors/errors.go, NewMethodNotSupported): "create", "delete", "patch", … */
export const methodNotSupported = (resource: GroupResource, action: string): StatusError =>
  new StatusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${action} is not supported on resources of kind ${quoteGo(formatGroupResource(resource))}`,
    details: detailsOf(resource, ""),
  });

/** 406: none of the wanted media types can be written. */
export const notAcceptable = (accepted: readonly string[]): StatusError =>
  new StatusError({
    code: 406,
    reason: "NotAcceptable",
    message: `only the following media types are accepted: ${accepted.join(", ")}`,
  });

/** 406: the wanted conversion (`Table`, …) exists only in other media types. */
export const notAcceptableConversion = (target: string, accepted: readonly string[]): StatusError =>
  new StatusError({
    code: 406,
    reason: "NotAcceptable",
    message: `only the following media types are accepted when converting to ${target}: ${accepted.join(", ")}`,
  });

/** 415: the body is in a media type that cannot be read. */
export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  });

/** 410, for what will not come back; an old resourceVersion is `resourceExpired`. */
export const gone = (message: string): StatusError => new StatusError({ code: 410, reason: "Gone", message });

/** 410: the asked-for revision is compacted. */
export const resourceExpired = (message: string): StatusError =>
  new StatusError({ code: 410, reason: "Expired", message });

/** 504: it did not finish in time and may still complete. */
export const timeout = (message: string, retryAfterSeconds = 0): StatusError =>
  new StatusError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: ${message}`,
    details: details({ retryAfterSeconds }),
  });

/** 504: a revision was asked for that this server has not seen yet. */
export const tooLargeResourceVersion = (
  minimum: number | string,
  current: number | string,
  retryAfterSeconds: number,
): StatusError =>
  new StatusError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${minimum}, current: ${current}`,
    details: details({
      retryAfterSeconds,
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    }),
  });

/** 500 with the advice to try again; details name the operation, not an object. */
export const serverTimeout = (resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError =>
  new StatusError({
    code: 500,
    reason: "ServerTimeout",
    message: `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`,
    details: detailsOf(resource, operation, { retryAfterSeconds }),
  });

/** 429. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  new StatusError({ code: 429, reason: "TooManyRequests", message, details: details({ retryAfterSeconds }) });

/** 413. */
export const requestEntityTooLarge = (message: string): StatusError =>
  new StatusError({ code: 413, reason: "RequestEntityTooLarge", message: `Request entity too large: ${message}` });

/** 500: a fault of the server; the client sees its message. */
export const internalError = (message: string, options?: { cause?: unknown }): StatusError =>
  new StatusError(
    {
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: ${message}`,
      details: details({ causes: [{ message }] }),
    },
    options,
  );

/** 503. */
export const serviceUnavailable = (message: string): StatusError =>
  new StatusError({ code: 503, reason: "ServiceUnavailable", message });
