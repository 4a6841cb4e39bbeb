import { readFileSync } from "node:fs";
import { FlagError, type OptionsOf } from "@coxswain/component/flags";
import { readKubeconfig } from "@coxswain/component/kubeconfig";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import type { AuditOptions } from "../create-audit.js";
import type { LineWriter } from "../log-backend.js";
import { readPolicy } from "../read-policy.js";
import { openRotatingFile } from "../rotating-file.js";
import { checkDelivery, type DeliveryOptions, deliveryOf } from "./audit-delivery.js";
import type { auditFlags } from "./audit-flags.js";

type Options = OptionsOf<typeof auditFlags>;

const megabyte = 1024 * 1024;

/** What the flags ask to be recorded, and where; undefined: nothing. Opens the log. @throws FlagError with all that is wrong */
export function auditFrom(options: Options, log: Pick<Logger, "info" | "warn" | "error">): AuditOptions | undefined {
  const { auditLogPath: path, auditWebhookConfigFile: kubeconfig, auditPolicyFile } = options;
  const problems = [
    ...(path ? checkLog(options) : []),
    ...(kubeconfig ? checkDelivery("webhook", webhookDelivery(options)) : []),
  ];
  if (problems.length > 0) throw new FlagError(problems.length === 1 ? problems.join() : `[${problems.join(", ")}]`);
  if (!auditPolicyFile) {
    for (const backend of [...(path ? ["log"] : []), ...(kubeconfig ? ["webhook"] : [])])
      log.info(`No audit policy file provided, no events will be recorded for ${backend} backend`);
    return undefined;
  }
  const policy = policyIn(auditPolicyFile, (message) => log.warn(message, { file: auditPolicyFile }));
  return {
    policy,
    ...(path && {
      log: {
        out: openLog(path, options, log),
        format: options.auditLogFormat as "json" | "legacy",
        delivery: deliveryOf(logDelivery(options)),
      },
    }),
    ...(kubeconfig && {
      webhook: {
        connection: connectionIn(kubeconfig),
        initialBackoffMs: options.auditWebhookBatchInitialBackoff ?? options.auditWebhookInitialBackoff,
        delivery: deliveryOf(webhookDelivery(options)),
      },
    }),
  };
}

function checkLog(options: Options): string[] {
  const { auditLogFormat: format, auditLogMaxage, auditLogMaxbackup, auditLogMaxsize } = options;
  const sizes = { maxage: auditLogMaxage, maxbackup: auditLogMaxbackup, maxsize: auditLogMaxsize };
  return [
    ...checkDelivery("log", logDelivery(options)),
    ...(format === "json" || format === "legacy"
      ? []
      : [`invalid audit log format ${format}, allowed formats are "legacy,json"`]),
    ...Object.entries(sizes).flatMap(([name, value]) =>
      value < 0 ? [`--audit-log-${name} ${value} can't be a negative number`] : [],
    ),
  ];
}

const logDelivery = (options: Options): DeliveryOptions => ({
  mode: options.auditLogMode,
  bufferSize: options.auditLogBatchBufferSize,
  maxBatchSize: options.auditLogBatchMaxSize,
  maxWaitMs: options.auditLogBatchMaxWait,
  throttled: options.auditLogBatchThrottleEnable,
  perSecond: options.auditLogBatchThrottleQps,
  burst: options.auditLogBatchThrottleBurst,
  truncated: options.auditLogTruncateEnabled,
  maxBatchBytes: options.auditLogTruncateMaxBatchSize,
  maxEventBytes: options.auditLogTruncateMaxEventSize,
  version: options.auditLogVersion,
});

const webhookDelivery = (options: Options): DeliveryOptions => ({
  mode: options.auditWebhookMode,
  bufferSize: options.auditWebhookBatchBufferSize,
  maxBatchSize: options.auditWebhookBatchMaxSize,
  maxWaitMs: options.auditWebhookBatchMaxWait,
  throttled: options.auditWebhookBatchThrottleEnable,
  perSecond: options.auditWebhookBatchThrottleQps,
  burst: options.auditWebhookBatchThrottleBurst,
  truncated: options.auditWebhookTruncateEnabled,
  maxBatchBytes: options.auditWebhookTruncateMaxBatchSize,
  maxEventBytes: options.auditWebhookTruncateMaxEventSize,
  version: options.auditWebhookVersion,
});

function policyIn(file: string, warn: (message: string) => void): AuditOptions["policy"] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (err) {
    throw new FlagError(
      `loading audit policy file: failed to read file path ${JSON.stringify(file)}: ${(err as Error).message}`,
    );
  }
  try {
    return readPolicy(text, warn);
  } catch (err) {
    throw new FlagError(`loading audit policy file: ${(err as Error).message}: from file ${file}`);
  }
}

function connectionIn(file: string): NonNullable<AuditOptions["webhook"]>["connection"] {
  const readFile = (path: string): string => readFileSync(path, "utf8");
  try {
    return readKubeconfig(readFile(file), { file, readFile });
  } catch (err) {
    throw new FlagError(`initializing audit webhook: ${(err as Error).message}`);
  }
}

function openLog(path: string, options: Options, log: Pick<Logger, "error">): LineWriter {
  if (path === "-") return { write: (text) => void process.stdout.write(text), close: () => {} };
  const rotation = {
    maxBytes: options.auditLogMaxsize * megabyte,
    maxAgeDays: options.auditLogMaxage,
    maxBackups: options.auditLogMaxbackup,
    compress: options.auditLogCompress,
  };
  return openRotatingFile(path, rotation, systemClock, (error) =>
    log.error("old audit logs could not be tidied", { path, error }),
  );
}
