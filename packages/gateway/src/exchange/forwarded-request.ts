import { type Field, fieldOf, hasToken } from "@coxswain/wire/http1";
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
  const changes = [...rule.changes.requestHeaders, ...backend.changes.requestHeaders];
  const fields = changeFields(forwardedFields(request), changes);
  const host = changes.length > 0 ? fields.find(({ lower }) => lower === "host")?.value : undefined;
  const isHttp2 = service.protocol === "h2";
  const changed = changePath(path, matchedPrefix, rewrite?.path);
  return {
    method: request.method,
    scheme: service.tls ? "https" : "http",
    authority: rewrite?.hostname ?? host ?? request.authority,
    target: query === "" ? changed : `${changed}?${query}`,
    fields: [
      ...(host === undefined ? fields : fields.filter(({ lower }) => lower !== "host")),
      ...(isHttp2 && hasToken(request.fields, "te", "trailers") ? [teTrailers] : []),
    ],
    hasBody: request.hasBody,
    bodyBytes: request.bodyBytes,
    upgrade: isHttp2 ? undefined : request.upgrade,
  };
}

const withBody = new Set(["POST", "PUT", "PATCH"]);

/** The length is written anew from what the body is known to be: two lengths, or one without a body, would be another request behind this one. */
function forwardedFields({ fields, scheme, clientAddress, method, hasBody, bodyBytes }: ArrivedRequest): Field[] {
  let before: string | undefined;
  const left = withoutHopByHop(fields).filter(({ lower, value }) => {
    if (lower === "x-forwarded-for") before = before === undefined ? value : `${before}, ${value}`;
    return (
      lower !== "host" && lower !== "content-length" && lower !== "x-forwarded-for" && lower !== "x-forwarded-proto"
    );
  });
  const addresses = before === undefined ? clientAddress : `${before}, ${clientAddress}`;
  left.push({ name: "X-Forwarded-For", lower: "x-forwarded-for", value: addresses });
  left.push({ name: "X-Forwarded-Proto", lower: "x-forwarded-proto", value: scheme });
  const length = hasBody ? bodyBytes : withBody.has(method) ? 0 : undefined;
  if (length !== undefined) left.push({ name: "Content-Length", lower: "content-length", value: String(length) });
  return left;
}
