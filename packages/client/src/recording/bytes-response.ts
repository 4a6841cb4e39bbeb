import { getOwn } from "@coxswain/apimachinery/own";
import { parseJsonBody } from "../transport/json-body.js";
import type { TransportResponse } from "../transport/transport.js";
import { parseWarnings } from "../transport/warnings.js";

/** An answer that is there already. */
export function bytesResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): TransportResponse {
  return {
    status,
    header: (name) => getOwn(headers, name),
    warnings: parseWarnings(getOwn(headers, "warning")),
    value: async () => parseJsonBody(body),
    bytes: () => Promise.resolve(body),
    async *stream() {
      yield body;
    },
  };
}
