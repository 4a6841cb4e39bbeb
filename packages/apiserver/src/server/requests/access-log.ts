import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { Logger } from "@coxswain/runtime/log";
import type { RequestContext } from "../../request/request-context.js";

export interface Outcome {
  readonly code: number;
  readonly bytes: number;
  readonly ms: number;
}

/** One line for each request that was answered, as upstream writes them from verbosity 3 on (k8s.io/apiserver/pkg/server/httplog/httplog.go, Log); nothing is built before somebody wants to read it. */
export function logAccess(log: Logger, context: RequestContext, { code, bytes, ms }: Outcome): void {
  if (!log.enabled("debug")) return;
  const { request, info, user, auditId } = context;
  log.debug("HTTP", {
    verb: info.verb,
    URI: request.query === "" ? request.path : `${request.path}?${request.query}`,
    latency: formatDurationMs(ms),
    userAgent: request.header("user-agent") ?? "",
    "audit-ID": auditId.slice(0, 64),
    user: user.name,
    srcIP: request.caller.via === "socket" ? request.caller.remoteAddress : "in-process",
    resp: code,
    respBytes: bytes,
  });
}
