import { badRequest, genericServerResponse, StatusError } from "../status/index.js";

/** 400: the patch itself is malformed. */
export const malformedPatch = (text: string): StatusError => badRequest(text);

/** 422: well formed, but it does not fit the object. Upstream keeps the reason to itself; here it is the `cause`. */
export function patchDoesNotApply(text: string): StatusError {
  const { status } = genericServerResponse({ code: 422, verb: "", serverMessage: text, unexpected: false });
  return new StatusError(
    { code: 422, reason: "Invalid", message: status.message ?? "", details: status.details ?? {} },
    { cause: new Error(text) },
  );
}

/** 500 without a reason: what upstream answers to every other fault of a strategic merge patch. */
export const unmergeable = (text: string): StatusError => new StatusError({ code: 500, reason: "", message: text });
