import { type Field, fieldOf, fieldValue, hasToken } from "@coxswain/wire/http1";
import type { SentRequest } from "../calls/backend-call.js";
import type { ArrivedRequest } from "../calls/client-call.js";
import type { BackendService } from "../engine/backend.js";
import type { RoutedBackend, RoutedRule } from "../engine/routed-rule.js";
import { changeFields } from "./change-fields.js";
import { withoutHopByHop } from "./hop-by-hop.js";
import { changePath } from "./redirect.js";

export interface Forwarding {
  readonly rule: RoutedRule;
  readonly backend: RoutedBackend;
  readonly service: BackendService;
  readonly matchedPrefix: string;
  readonly path: string;
  readonly query: string;
}

const teTrailers = fieldOf("te", "trailers");

/** Pure: the request as the backend gets it. The rule's filters come before the backend's. */
export function forwardedRequest(request: ArrivedRequest, forwarding: Forwarding): SentRequest {
  const { rule, backend, service, matchedPrefix, path, query } = forwarding;
  const rewrite = backend.changes.rewrite ?? rule.changes.rewrite;
  const changes =
    backend.changes.requestHeaders.length === 0
      ? rule.changes.requestHeaders
      : [...rule.changes.requestHeaders, ...backend.changes.requestHeaders];
  const isHttp2 = service.protocol === "h2";
  let fields: readonly Field[] = forwardedFields(request);
  let host: string | undefined;
  if (changes.length > 0) {
    fields = changeFields(fields, changes);
    host = fieldValue(fields, "host");
    if (host !== undefined) fields = fields.filter(({ lower }) => lower !== "host");
  }
  if (isHttp2 && hasToken(request.fields, "te", "trailers")) fields = [...fields, teTrailers];
  const changed = changePath(path, matchedPrefix, rewrite?.path);
  return {
    method: request.method,
    scheme: service.tls ? "https" : "http",
    authority: rewrite?.hostname ?? host ?? request.authority,
    target: query === "" ? changed : `${changed}?${query}`,
    fields,
    hasBody: request.hasBody,
    bodyBytes: request.bodyBytes,
    upgrade: isHttp2 ? undefined : request.upgrade,
  };
}

const withBody = new Set(["POST", "PUT", "PATCH"]);

/** The length is written anew from what the body is known to be: two lengths, or one without a body, would be another request behind this one. */
function forwardedFields({ fields, scheme, clientAddress, method, hasBody, bodyBytes }: ArrivedRequest): Field[] {
  let before: string | undefined;
  const left: Field[] = [];
  for (const field of withoutHopByHop(fields))
    switch (field.lower) {
      case "host":
      case "content-length":
      case "x-forwarded-proto":
        break;
      case "x-forwarded-for":
        before = before === undefined ? field.value : `${before}, ${field.value}`;
        break;
      default:
        left.push(field);
    }
  const addresses = before === undefined ? clientAddress : `${before}, ${clientAddress}`;
  left.push({ name: "X-Forwarded-For", lower: "x-forwarded-for", value: addresses });
  left.push({ name: "X-Forwarded-Proto", lower: "x-forwarded-proto", value: scheme });
  const length = hasBody ? bodyBytes : withBody.has(method) ? 0 : undefined;
  if (length !== undefined) left.push({ name: "Content-Length", lower: "content-length", value: String(length) });
  return left;
}
