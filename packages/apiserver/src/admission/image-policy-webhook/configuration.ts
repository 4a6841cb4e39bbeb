import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { type Backend, readBackend } from "./backend.js";

export interface ImagePolicyConfiguration {
  readonly backend: Backend;
  /** How long an answer holds, in milliseconds; 0: not at all. */
  readonly allowMs: number;
  readonly denyMs: number;
  /** The first wait before the backend is asked again, in milliseconds. */
  readonly retryMs: number;
  /** What happens when the backend does not answer. */
  readonly defaultAllow: boolean;
}

interface Document {
  readonly imagePolicy?: {
    readonly kubeConfigFile?: string;
    readonly allowTTL?: number;
    readonly denyTTL?: number;
    readonly retryBackoff?: number;
    readonly defaultAllow?: boolean;
  };
}

const minute = 60_000;

/** It has no version: only the member `imagePolicy` counts. Without it the plugin does not start. */
export function readImagePolicyConfiguration(configuration: PluginConfiguration | undefined): ImagePolicyConfiguration {
  if (!configuration?.document) throw new Error("no config specified");
  const {
    kubeConfigFile = "",
    allowTTL,
    denyTTL,
    retryBackoff,
    defaultAllow = false,
  } = (configuration.document as Document).imagePolicy ?? {};
  return {
    retryMs: duration(retryBackoff, 1, { least: 1e-6, most: 5 * minute, otherwise: 500 }),
    allowMs: duration(allowTTL, 1000, { least: 1000, most: 30 * minute, otherwise: 5 * minute }),
    denyMs: duration(denyTTL, 1000, { least: 1000, most: 30 * minute, otherwise: 30_000 }),
    defaultAllow,
    backend: readBackend(configuration.readFile(kubeConfigFile), (path) => configuration.readFile(path)),
  };
}

/** 0 is the default, -1 none at all. */
function duration(
  value: number | undefined,
  scale: number,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  if (value === -1) return 0;
  if (!value) return otherwise;
  const ms = value * scale;
  if (ms < least || ms > most)
    throw new Error(
      `valid value is between ${least < 1 ? "1ns" : formatDurationMs(least)} and ${formatDurationMs(most)}, got ${formatDurationMs(ms)}`,
    );
  return ms;
}
