import { encodeBody } from "../transport/json-body.js";
import { requestTarget } from "../transport/query.js";
import type { TransportRequest } from "../transport/transport.js";
import type { RecordedBody, RecordedRequest } from "./recording.js";

export function recordedRequest(request: TransportRequest, isWatch: boolean): RecordedRequest {
  const accept = request.headers?.["accept"];
  return {
    method: request.method,
    target: requestTarget(request),
    ...(accept !== undefined && { accept }),
    ...(request.body && { body: recordedBody(encodeBody(request.body).bytes) }),
    isWatch,
  };
}

export function recordedBody(bytes: Uint8Array): RecordedBody {
  try {
    return { json: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
  }
}

export const bodyBytes = (body: RecordedBody): Uint8Array =>
  "json" in body
    ? new TextEncoder().encode(JSON.stringify(body.json))
    : Uint8Array.from(atob(body.base64), (char) => char.charCodeAt(0));
