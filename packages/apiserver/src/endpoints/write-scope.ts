import type { WriteScope } from "../objects/write-scope.js";
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
  dryRun: options.dryRun,
  options: () => optionsObject(options),
  sentBytes: context.bodyBytes + context.addedBytes,
  latencies: context.latencies,
  warn: (text) => context.warnings.push(text),
  annotate(key, value, level) {
    if (level === undefined || context.audit?.recordsRequests) context.annotate(key, value);
  },
  // Made when it is needed: most writes are done at once, and a signal costs as much as all their filters.
  get signal() {
    return context.signal;
  },
});
