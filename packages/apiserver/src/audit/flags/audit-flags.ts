import { defineFlags } from "@coxswain/component/flags";

const mode =
  "When events go out: batch (later, so that no request waits), blocking (before the request goes on), or blocking-strict (and it does not go on where that failed).";
const buffer = "How many events may wait for their batch; further ones are lost. For batch mode.";
const batchSize = "How many events go out at once. For batch mode.";
const wait = "How long an event waits at most for its batch to fill. For batch mode.";
const throttle = "Limit how many batches go out. For batch mode.";
const rate = "Batches a second, on average. For batch mode.";
const burst = "Batches at once after a time with fewer. For batch mode.";
const truncate = "Take the objects from events that are too large, and split batches that are.";
const batchBytes = "A batch of more bytes is split.";
const eventBytes = "An event of more bytes loses its objects; if it is still too large, it is lost.";

/** kube-apiserver's flags of the audit log, with its defaults. What they mean together `auditFrom` checks. */
export const auditFlags = defineFlags({
  "audit-policy-file": {
    group: "Audit",
    type: "string",
    value: "file",
    help: "A Policy of audit.k8s.io/v1: what is recorded of which requests. Without it nothing is recorded.",
  },
  "audit-log-path": {
    group: "Audit",
    type: "string",
    value: "file",
    help: "Where the audit log is written; - for standard output.",
  },
  "audit-log-format": {
    group: "Audit",
    type: "string",
    default: "json",
    value: "json|legacy",
    help: "An event a line as JSON, or the older selection of it as text.",
  },
  "audit-log-maxsize": {
    group: "Audit",
    type: "integer",
    default: 100,
    value: "megabytes",
    help: "A log that would grow beyond this is set aside. 0: it grows for ever.",
  },
  "audit-log-maxage": {
    group: "Audit",
    type: "integer",
    default: 366,
    value: "days",
    help: "Logs set aside longer ago are removed. 0: none is for its age.",
  },
  "audit-log-maxbackup": {
    group: "Audit",
    type: "integer",
    default: 100,
    value: "count",
    help: "So many logs set aside are kept. 0: all of them.",
  },
  "audit-log-compress": { group: "Audit", type: "boolean", help: "Compress logs set aside with gzip." },
  "audit-log-version": {
    group: "Audit",
    type: "string",
    default: "audit.k8s.io/v1",
    value: "group/version",
    help: "The version of the events.",
  },
  "audit-log-mode": { group: "Audit", type: "string", default: "blocking", value: "mode", help: mode },
  "audit-log-batch-buffer-size": { group: "Audit", type: "integer", default: 10_000, value: "count", help: buffer },
  "audit-log-batch-max-size": { group: "Audit", type: "integer", default: 1, value: "count", help: batchSize },
  "audit-log-batch-max-wait": { group: "Audit", type: "duration", default: "0s", help: wait },
  "audit-log-batch-throttle-enable": { group: "Audit", type: "boolean", help: throttle },
  "audit-log-batch-throttle-qps": { group: "Audit", type: "number", default: 0, value: "number", help: rate },
  "audit-log-batch-throttle-burst": { group: "Audit", type: "integer", default: 0, value: "count", help: burst },
  "audit-log-truncate-enabled": { group: "Audit", type: "boolean", help: truncate },
  "audit-log-truncate-max-batch-size": {
    group: "Audit",
    type: "integer",
    default: 10_485_760,
    value: "bytes",
    help: batchBytes,
  },
  "audit-log-truncate-max-event-size": {
    group: "Audit",
    type: "integer",
    default: 102_400,
    value: "bytes",
    help: eventBytes,
  },
  "audit-webhook-config-file": {
    group: "Audit",
    type: "string",
    value: "file",
    help: "How to reach the service that is sent the events: a kubeconfig.",
  },
  "audit-webhook-initial-backoff": {
    group: "Audit",
    type: "duration",
    default: "10s",
    help: "How long to wait before a batch that could not be sent is sent again; each further wait is half as long again.",
  },
  "audit-webhook-batch-initial-backoff": {
    group: "Audit",
    type: "duration",
    hidden: true,
    deprecated: "use --audit-webhook-initial-backoff",
    help: "The old name of --audit-webhook-initial-backoff.",
  },
  "audit-webhook-version": {
    group: "Audit",
    type: "string",
    default: "audit.k8s.io/v1",
    value: "group/version",
    help: "The version of the events.",
  },
  "audit-webhook-mode": { group: "Audit", type: "string", default: "batch", value: "mode", help: mode },
  "audit-webhook-batch-buffer-size": { group: "Audit", type: "integer", default: 10_000, value: "count", help: buffer },
  "audit-webhook-batch-max-size": { group: "Audit", type: "integer", default: 400, value: "count", help: batchSize },
  "audit-webhook-batch-max-wait": { group: "Audit", type: "duration", default: "30s", help: wait },
  "audit-webhook-batch-throttle-enable": { group: "Audit", type: "boolean", default: true, help: throttle },
  "audit-webhook-batch-throttle-qps": { group: "Audit", type: "number", default: 10, value: "number", help: rate },
  "audit-webhook-batch-throttle-burst": { group: "Audit", type: "integer", default: 15, value: "count", help: burst },
  "audit-webhook-truncate-enabled": { group: "Audit", type: "boolean", help: truncate },
  "audit-webhook-truncate-max-batch-size": {
    group: "Audit",
    type: "integer",
    default: 10_485_760,
    value: "bytes",
    help: batchBytes,
  },
  "audit-webhook-truncate-max-event-size": {
    group: "Audit",
    type: "integer",
    default: 102_400,
    value: "bytes",
    help: eventBytes,
  },
});
