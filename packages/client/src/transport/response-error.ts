import { genericServerResponse, type Status, StatusError, statusErrorFromObject } from "@coxswain/apimachinery/status";
import { parseJsonText } from "./json-body.js";
import { nameInPath } from "./path-name.js";

export interface RefusedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** Of the text of a proxy or a broken server, this much stands in the error, as in client-go. */
const maxTextBytes = 2048;

/**
 * The error of an answer that is no success: the Status in the body where there is one, else one made from the code alone
 * (an HTML page of a proxy, a plain-text 429).
 */
export function responseError(response: RefusedResponse): StatusError {
  const text = new TextDecoder().decode(response.body.subarray(0, 64 * 1024));
  const retryAfterSeconds = retryAfter(response.header("retry-after"));
  const given = statusIn(text);
  if (given !== undefined) return withRetryAfter(given, retryAfterSeconds);
  const contentType = response.header("content-type") ?? "";
  const isText = contentType === "" || contentType.startsWith("text/");
  const { name, ...resource } = nameInPath(response.path) ?? { name: "", group: "", resource: "" };
  return genericServerResponse({
    code: response.status,
    verb: response.method,
    resource,
    name,
    serverMessage: isText ? text.slice(0, maxTextBytes).trim() : "unknown",
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    unexpected: true,
  });
}

/** Seconds; the header's other form, a date, is never sent by the API. */
export function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d{1,6}$/.test(header.trim())) return undefined;
  return Number(header);
}

function statusIn(text: string): StatusError | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const object = parseJsonText(text) as Partial<Status>;
    return object.status === "Success" ? undefined : statusErrorFromObject(object);
  } catch {
    return undefined; // not JSON after all; the caller makes an error of the code
  }
}

/** The header decides where the Status leaves it out. */
function withRetryAfter(error: StatusError, seconds: number | undefined): StatusError {
  const { status } = error;
  if (seconds === undefined || (status.details?.retryAfterSeconds ?? 0) > 0) return error;
  return new StatusError({
    code: status.code,
    reason: status.reason ?? "",
    message: status.message ?? "",
    metadata: status.metadata,
    details: { ...status.details, retryAfterSeconds: seconds },
  });
}
