import { quoteGo } from "../field/index.js";
import { formatGroupResource, type GroupResource } from "../meta/group-version.js";
import type { StatusReason } from "./status.js";
import { StatusError } from "./status-error.js";

export interface GenericServerResponse {
  readonly code: number;
  /** The HTTP method. */
  readonly verb: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  /** The server's own text, in whatever form. */
  readonly serverMessage: string;
  readonly retryAfterSeconds?: number;
  /** Whether the answer was not in the form of the API; the server's words then become a cause. */
  readonly unexpected: boolean;
}

/** The error of an answer that is no Status: made by clients, from the code alone. */
export function genericServerResponse(response: GenericServerResponse): StatusError {
  const {
    code,
    verb,
    resource = { group: "", resource: "" },
    name = "",
    serverMessage,
    retryAfterSeconds,
    unexpected,
  } = response;
  const { reason, message } = meaningOf(code, verb, serverMessage);
  return new StatusError({
    code,
    reason,
    message: `${message}${subjectOf(verb, resource, name)}`,
    details: {
      ...(name ? { name } : {}),
      ...(resource.group ? { group: resource.group } : {}),
      ...(resource.resource ? { kind: resource.resource } : {}),
      ...(unexpected
        ? { causes: [{ reason: "UnexpectedServerResponse", ...(serverMessage ? { message: serverMessage } : {}) }] }
        : {}),
      ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    },
  });
}

function subjectOf(verb: string, resource: GroupResource, name: string): string {
  if (resource.group === "" && resource.resource === "") return "";
  const action = `${verb.toLowerCase()} ${formatGroupResource(resource)}`;
  return name === "" ? ` (${action})` : ` (${action} ${name})`;
}

function meaningOf(code: number, verb: string, serverText: string): { reason: StatusReason; message: string } {
  switch (code) {
    case 409:
      return { reason: verb === "POST" ? "AlreadyExists" : "Conflict", message: "the server reported a conflict" };
    case 404:
      return { reason: "NotFound", message: "the server could not find the requested resource" };
    case 400:
      return { reason: "BadRequest", message: "the server rejected our request for an unknown reason" };
    case 401:
      return { reason: "Unauthorized", message: "the server has asked for the client to provide credentials" };
    case 403:
      return { reason: "Forbidden", message: serverText };
    case 406:
      return {
        reason: "NotAcceptable",
        message:
          serverText === "" || serverText === "unknown"
            ? "the server was unable to respond with a content type that the client supports"
            : serverText,
      };
    case 415:
      return { reason: "UnsupportedMediaType", message: serverText };
    case 405:
      return { reason: "MethodNotAllowed", message: "the server does not allow this method on the requested resource" };
    case 422:
      return { reason: "Invalid", message: "the server rejected our request due to an error in our request" };
    case 503:
      return { reason: "ServiceUnavailable", message: "the server is currently unable to handle the request" };
    case 504:
      return {
        reason: "Timeout",
        message:
          "the server was unable to return a response in the time allotted, but may still be processing the request",
      };
    case 429:
      return {
        reason: "TooManyRequests",
        message: "the server has received too many requests and has asked us to try again later",
      };
    default:
      if (code >= 500) {
        return {
          reason: "InternalError",
          message: `an error on the server (${quoteGo(serverText)}) has prevented the request from succeeding`,
        };
      }
      return {
        reason: "",
        message: `the server responded with the status code ${code} but did not return more information`,
      };
  }
}
