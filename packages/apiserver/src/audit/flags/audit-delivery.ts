import { groupVersionError, parseGroupVersion } from "@coxswain/apimachinery/meta";
import type { Delivery } from "../create-audit.js";

/** The flags that the log and the webhook both have. */
export interface DeliveryOptions {
  readonly mode: string;
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  readonly maxWaitMs: number;
  readonly throttled: boolean;
  readonly perSecond: number;
  readonly burst: number;
  readonly truncated: boolean;
  readonly maxBatchBytes: number;
  readonly maxEventBytes: number;
  readonly version: string;
}

const modes = ["batch", "blocking", "blocking-strict"];

/** What is wrong, in upstream's words. */
export function checkDelivery(plugin: "log" | "webhook", options: DeliveryOptions): string[] {
  return [checkMode(plugin, options), checkTruncation(plugin, options), checkVersion(options.version)].filter(
    (problem) => problem !== undefined,
  );
}

/** The numbers of a batch matter only where there are batches. */
function checkMode(
  plugin: string,
  { mode, bufferSize, maxBatchSize, throttled, perSecond, burst }: DeliveryOptions,
): string | undefined {
  if (!modes.includes(mode)) return `invalid audit ${plugin} mode ${mode}, allowed modes are "${modes.join(",")}"`;
  if (mode !== "batch") return undefined;
  const numbers: readonly (readonly [string, number])[] = [
    ["buffer size", bufferSize],
    ["max batch size", maxBatchSize],
    ...(throttled
      ? ([
          ["throttle QPS", perSecond],
          ["throttle burst", burst],
        ] as const)
      : []),
  ];
  const [name, value] = numbers.find(([, number]) => number <= 0) ?? [];
  return name === undefined ? undefined : `invalid audit batch ${plugin} ${name} ${value}, must be a positive number`;
}

function checkTruncation(plugin: string, { maxBatchBytes, maxEventBytes }: DeliveryOptions): string | undefined {
  if (maxEventBytes <= 0)
    return `invalid audit truncate ${plugin} max event size ${maxEventBytes}, must be a positive number`;
  return maxBatchBytes < maxEventBytes
    ? `invalid audit truncate ${plugin} max batch size ${maxBatchBytes}, must be greater than max event size (${maxEventBytes})`
    : undefined;
}

function checkVersion(text: string): string | undefined {
  const version = parseGroupVersion(text);
  if (!version) return groupVersionError(text);
  return version.group === "audit.k8s.io" && version.version === "v1"
    ? undefined
    : 'invalid group version, allowed versions are ["audit.k8s.io/v1"]';
}

export const deliveryOf = ({
  mode,
  bufferSize,
  maxBatchSize,
  maxWaitMs,
  throttled,
  perSecond,
  burst,
  truncated,
  maxBatchBytes,
  maxEventBytes,
}: DeliveryOptions): Delivery => ({
  mode: mode as Delivery["mode"],
  batch: { bufferSize, maxBatchSize, maxWaitMs, ...(throttled && { throttle: { perSecond, burst } }) },
  ...(truncated && { truncate: { maxBatchBytes, maxEventBytes } }),
});
