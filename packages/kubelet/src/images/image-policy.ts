import { parseDurationMs } from "@coxswain/apimachinery/time";

/** When images that no container uses are removed. */
export interface ImagePolicy {
  /** Usage of the disk, in percent, that starts a removal, and the usage it removes down to. */
  readonly highPercent: number;
  readonly lowPercent: number;
  /** Younger ones stay. */
  readonly minAgeMs: number;
  /** Those unused for longer go whatever the usage; 0: never. */
  readonly maxAgeMs: number;
}

/** Members of upstream's KubeletConfiguration. */
export interface ImageConfig {
  readonly imageGCHighThresholdPercent?: number;
  readonly imageGCLowThresholdPercent?: number;
  readonly imageMinimumGCAge?: string;
  readonly imageMaximumGCAge?: string;
}

/** @throws Error in upstream's words */
export function parseImagePolicy(config: ImageConfig): ImagePolicy {
  const { imageGCHighThresholdPercent: highPercent = 85, imageGCLowThresholdPercent: lowPercent = 80 } = config;
  const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100;
  if (!isPercent(highPercent)) throw new Error(`invalid HighThresholdPercent ${highPercent}, must be in range [0-100]`);
  if (!isPercent(lowPercent)) throw new Error(`invalid LowThresholdPercent ${lowPercent}, must be in range [0-100]`);
  if (lowPercent > highPercent)
    throw new Error(`LowThresholdPercent ${lowPercent} can not be higher than HighThresholdPercent ${highPercent}`);
  return {
    highPercent,
    lowPercent,
    minAgeMs: durationOf("imageMinimumGCAge", config.imageMinimumGCAge ?? "2m"),
    maxAgeMs: durationOf("imageMaximumGCAge", config.imageMaximumGCAge ?? "0s"),
  };
}

function durationOf(name: string, text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined || ms < 0) throw new Error(`${name}: ${JSON.stringify(text)} is no duration`);
  return ms;
}
