import { causeHeader, reasonHeader } from "@coxswain/client/work";
import type { WriteOrigin, WriteScope } from "../objects/write-scope.js";
import { boundedText } from "../request/bounded-text.js";
import type { RequestContext } from "../request/request-context.js";
import type { Target } from "./target.js";
import { managerOf, optionsObject, type WriteOptions } from "./write-options.js";

export const writeScope = (context: RequestContext, target: Target, options: WriteOptions): WriteScope => ({
  kind: target.kind,
  version: target.version,
  projection: target.projection,
  view: target.view,
  namespace: target.namespace,
  name: target.name,
  user: context.user,
  verb: context.info.verb,
  manager: managerOf(options, context),
  origin: originOf(context),
  dryRun: options.dryRun,
  options: () => optionsObject(options),
  sentBytes: context.bodyBytes + context.addedBytes,
  latencies: context.latencies,
  warn: (text) => context.warnings.push(text),
  annotate(key, value, level) {
    if (level === undefined || context.audit?.recordsRequests) context.annotate(key, value);
  },
  ending: context,
});

/** A client may send any length: what is kept with each write is bounded. */
const maxAgentChars = 200;
const maxAuditIdChars = 512;
const maxCauseChars = 512;
const maxReasonChars = 1024;

const originOf = ({ request, info, auditId }: RequestContext): WriteOrigin => ({
  subresource: info.subresource,
  auditId: boundedText(auditId, maxAuditIdChars),
  userAgent: boundedText(request.header("user-agent") ?? "", maxAgentChars),
  cause: boundedText(request.header(causeHeader) ?? "", maxCauseChars),
  reason: boundedText(request.header(reasonHeader) ?? "", maxReasonChars),
});
