import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { type Signal, signals } from "./signals.js";

/** An amount of a resource: a number of it, or a share of the capacity. */
export type ThresholdValue = { readonly quantity: number } | { readonly percentage: number };

/** Less than this is too little. */
export interface Threshold {
  readonly signal: Signal;
  readonly value: ThresholdValue;
  /** Milliseconds that it must be met for before pods are evicted; 0: a hard threshold. */
  readonly graceMs: number;
  /** So much more must be free again before it counts as resolved. */
  readonly minReclaim?: ThresholdValue;
}

/** Members of upstream's KubeletConfiguration. */
export interface ThresholdConfig {
  readonly evictionHard?: Readonly<Record<string, string>>;
  readonly evictionSoft?: Readonly<Record<string, string>>;
  readonly evictionSoftGracePeriod?: Readonly<Record<string, string>>;
  readonly evictionMinimumReclaim?: Readonly<Record<string, string>>;
}

/** Upstream's defaults on Linux. */
export const defaultEvictionHard: Readonly<Record<string, string>> = {
  "memory.available": "100Mi",
  "nodefs.available": "10%",
  "nodefs.inodesFree": "5%",
  "imagefs.available": "15%",
  "imagefs.inodesFree": "5%",
};

/** Where containers have no file system of their own, upstream takes these for those of the node. */
const ignored = new Set(["containerfs.available", "containerfs.inodesFree"]);

/**
 * Reads thresholds; a hard one for memory counts for what pods may use together as well.
 * @throws Error in upstream's words
 */
export function parseThresholds(config: ThresholdConfig): Threshold[] {
  const graces = new Map(entriesOf(config.evictionSoftGracePeriod).map(([signal, text]) => [signal, parseGrace(text)]));
  const reclaims = new Map(
    entriesOf(config.evictionMinimumReclaim).map(([signal, text]) => [signal, parseReclaim(signal, text)]),
  );
  const hard = parseStatements(config.evictionHard ?? defaultEvictionHard, () => 0);
  const soft = parseStatements(config.evictionSoft, (signal) => {
    const grace = graces.get(signal);
    if (grace === undefined)
      throw new Error(`grace period must be specified for the soft eviction threshold ${signal}`);
    return grace;
  });
  const all = [...hard, ...soft].map((threshold) => {
    const minReclaim = reclaims.get(threshold.signal);
    return minReclaim ? { ...threshold, minReclaim } : threshold;
  });
  const forPods = all
    .filter(({ signal, graceMs }) => signal === "memory.available" && graceMs === 0)
    .map((threshold) => ({ ...threshold, signal: "allocatableMemory.available" as const }));
  return [...all, ...forPods];
}

function entriesOf(statements: Readonly<Record<string, string>> | undefined): [Signal, string][] {
  return ownEntries(statements)
    .filter(([signal]) => !ignored.has(signal))
    .map(([signal, text]) => {
      const known = signals.find((each) => each === signal);
      if (!known) throw new Error(`unsupported eviction signal ${signal}`);
      return [known, text];
    });
}

function parseStatements(
  statements: Readonly<Record<string, string>> | undefined,
  graceOf: (signal: Signal) => number,
): Threshold[] {
  const thresholds: Threshold[] = [];
  for (const [signal, text] of entriesOf(statements)) {
    if (text === "0%" || text === "100%") continue; // never, or always: taken as none
    thresholds.push({ signal, value: parseValue(signal, text), graceMs: graceOf(signal) });
  }
  return thresholds;
}

function parseValue(signal: Signal, text: string): ThresholdValue {
  if (text.endsWith("%")) {
    const percentage = parsePercentage(text);
    if (percentage < 0) throw new Error(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
    if (percentage > 1) throw new Error(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
    return { percentage };
  }
  const quantity = parseQuantity(text);
  if (quantity.sign <= 0) throw new Error(`eviction threshold ${signal} must be positive: ${quantity.toString()}`);
  return { quantity: Number(quantity.value()) };
}

function parseReclaim(signal: Signal, text: string): ThresholdValue {
  if (text.endsWith("%")) {
    const percentage = parsePercentage(text);
    if (percentage <= 0) throw new Error(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
    return { percentage };
  }
  const quantity = parseQuantity(text);
  if (quantity.sign < 0) throw new Error(`negative eviction minimum reclaim specified for ${signal}`);
  return { quantity: Number(quantity.value()) };
}

function parseGrace(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new Error(`time: invalid duration ${JSON.stringify(text)}`);
  if (ms < 0) throw new Error(`invalid eviction grace period specified: ${text}, must be a positive value`);
  return ms;
}

/** In single precision, as upstream computes it (pkg/kubelet/eviction/helpers.go, parsePercentage): thresholds come out to the same byte. */
function parsePercentage(text: string): number {
  const number = Number(text.slice(0, -1));
  if (Number.isNaN(number) || text === "%")
    throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(text.slice(0, -1))}: invalid syntax`);
  return Math.fround(Math.fround(number) / 100);
}

/** The amount of a value, where there is so much of the resource in all. */
export const amountOf = (value: ThresholdValue, capacity: number): number =>
  "quantity" in value ? value.quantity : Math.trunc(capacity * value.percentage);
