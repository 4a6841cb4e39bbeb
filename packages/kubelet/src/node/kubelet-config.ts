import { ownKeys } from "@coxswain/apimachinery/own";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { EvictionSettings } from "../eviction/eviction-manager.js";
import { parseThresholds, type ThresholdConfig } from "../eviction/thresholds.js";
import { type ImageConfig, type ImagePolicy, parseImagePolicy } from "../images/image-policy.js";

/** The members of upstream's KubeletConfiguration that simulated nodes follow. */
export interface KubeletConfig extends ThresholdConfig, ImageConfig {
  readonly evictionPressureTransitionPeriod?: string;
  readonly evictionMaxPodGracePeriod?: number;
  /** A file or a folder with manifests of static pods. */
  readonly staticPodPath?: string;
  /** Where a manifest of static pods is. */
  readonly staticPodURL?: string;
  readonly fileCheckFrequency?: string;
  readonly httpCheckFrequency?: string;
  /** Whether logs, commands and ports are served. Simulated nodes always serve them. */
  readonly enableDebuggingHandlers?: boolean;
}

const members = [
  "evictionHard",
  "evictionSoft",
  "evictionSoftGracePeriod",
  "evictionMinimumReclaim",
  "evictionPressureTransitionPeriod",
  "evictionMaxPodGracePeriod",
  "imageGCHighThresholdPercent",
  "imageGCLowThresholdPercent",
  "imageMinimumGCAge",
  "imageMaximumGCAge",
  "staticPodPath",
  "staticPodURL",
  "fileCheckFrequency",
  "httpCheckFrequency",
] as const satisfies readonly (keyof KubeletConfig)[];

/** What a kubelet goes by, read from its configuration. */
export interface KubeletRules {
  readonly eviction: EvictionSettings;
  readonly images: ImagePolicy;
}

/** @throws Error that names what is wrong */
export function kubeletRules(config: KubeletConfig): KubeletRules {
  const transition = config.evictionPressureTransitionPeriod ?? "5m";
  const transitionMs = parseDurationMs(transition);
  if (transitionMs === undefined)
    throw new Error(`evictionPressureTransitionPeriod: ${JSON.stringify(transition)} is no duration`);
  return {
    eviction: {
      thresholds: parseThresholds(config),
      transitionMs,
      maxPodGraceSeconds: config.evictionMaxPodGracePeriod ?? 0,
    },
    images: parseImagePolicy(config),
  };
}

/** Where manifests of static pods are, and how often they are read, in milliseconds. @throws Error that names what is wrong */
export function manifestPlaces({
  staticPodPath,
  staticPodURL,
  fileCheckFrequency,
  httpCheckFrequency,
}: KubeletConfig): {
  readonly path?: string;
  readonly url?: string;
  readonly periodMs: number;
} {
  const text = (staticPodPath ? fileCheckFrequency : httpCheckFrequency) ?? "20s";
  const periodMs = parseDurationMs(text);
  if (periodMs === undefined || periodMs <= 0)
    throw new Error(`${JSON.stringify(text)} is no period of reading manifests`);
  return { periodMs, ...(staticPodPath && { path: staticPodPath }), ...(staticPodURL && { url: staticPodURL }) };
}

/** The members of a KubeletConfiguration in YAML or JSON, whatever they are. @throws Error for other kinds */
export function readKubeletMembers(text: string): Readonly<Record<string, unknown>> {
  const { value } = parseYaml(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("expected an object");
  const { apiVersion, kind, ...config } = value as Record<string, unknown>;
  if (kind !== "KubeletConfiguration" || apiVersion !== "kubelet.config.k8s.io/v1beta1")
    throw new Error(
      `expected a KubeletConfiguration of kubelet.config.k8s.io/v1beta1, found ${String(kind)} of ${String(apiVersion)}`,
    );
  return config;
}

/** Reads a KubeletConfiguration from YAML or JSON. @throws Error for other kinds and for members that simulated nodes do not follow */
export function parseKubeletConfig(text: string): KubeletConfig {
  const config = readKubeletMembers(text);
  const unknown = ownKeys(config).filter((key) => !(members as readonly string[]).includes(key));
  if (unknown.length > 0)
    throw new Error(`simulated nodes do not follow ${unknown.join(", ")}; they follow ${members.join(", ")}`);
  kubeletRules(config);
  manifestPlaces(config);
  return config;
}
