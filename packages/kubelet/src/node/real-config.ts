import type { Taint } from "@coxswain/api/core/v1";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { ownEntries } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { createVerificationPolicy } from "../images/verification-policy.js";
import { idsUnit } from "../machine/user-namespaces.js";
import { type KubeletConfig, kubeletRules, manifestPlaces, readKubeletMembers } from "./kubelet-config.js";
import { kubeletMembers } from "./kubelet-members.js";

/** The members of upstream's KubeletConfiguration that real nodes follow. */
export interface RealKubeletConfig extends KubeletConfig {
  readonly address?: string;
  readonly port?: number;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** Whether the kubeconfig's client certificate is replaced before it ends. */
  readonly rotateCertificates?: boolean;
  readonly serverTLSBootstrap?: boolean;
  /** Of its members only the authorities of client certificates are followed: who a client is, the API server answers in any case. */
  readonly authentication?: { readonly x509?: { readonly clientCAFile?: string } };
  /** Pages of the node over plain HTTP, for everybody; 0: none. */
  readonly readOnlyPort?: number;
  readonly healthzPort?: number;
  readonly healthzBindAddress?: string;
  readonly clusterDomain?: string;
  readonly clusterDNS?: readonly string[];
  readonly podLogsDir?: string;
  readonly cgroupRoot?: string;
  readonly singleProcessOOMKill?: boolean;
  readonly runtimeRequestTimeout?: string;
  readonly maxPods?: number;
  readonly podPidsLimit?: number;
  readonly resolvConf?: string;
  readonly cpuCFSQuota?: boolean;
  readonly cpuCFSQuotaPeriod?: string;
  readonly serializeImagePulls?: boolean;
  readonly maxParallelImagePulls?: number;
  readonly containerLogMaxSize?: string;
  readonly containerLogMaxFiles?: number;
  readonly containerLogMonitorInterval?: string;
  readonly systemReserved?: Readonly<Record<string, string>>;
  readonly kubeReserved?: Readonly<Record<string, string>>;
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly providerID?: string;
  readonly seccompDefault?: boolean;
  readonly registerWithTaints?: readonly Taint[];
  readonly containerRuntimeEndpoint?: string;
  readonly imagePullCredentialsVerificationPolicy?: string;
  readonly preloadedImagesVerificationAllowlist?: readonly string[];
  /** Whether the server shows /var/log. @default false; upstream's is true */
  readonly enableSystemLogHandler?: boolean;
  readonly userNamespaces?: { readonly idsPerPod?: number };
}

/** Reads a KubeletConfiguration for a real node. @throws Error for members that are not known, or not followed with this value */
export function parseRealConfig(text: string): RealKubeletConfig {
  const config = readKubeletMembers(text);
  const refusals = [
    ...ownEntries(config).flatMap(([name, member]) => refuse(name, member)),
    ...refuseGates((config as { featureGates?: unknown }).featureGates),
  ];
  if (refusals.length > 0) throw new Error(refusals.join("; "));
  kubeletRules(config);
  manifestPlaces(config);
  realRules(config);
  const { imagePullCredentialsVerificationPolicy: policy, preloadedImagesVerificationAllowlist = [] } =
    config as RealKubeletConfig;
  createVerificationPolicy(policy, preloadedImagesVerificationAllowlist);
  return config;
}

/** As upstream's strict decoder (pkg/kubelet/kubeletconfig/util/codec/codec.go, DecodeKubeletConfiguration), for members that there are not. */
function refuse(name: string, value: unknown): string[] {
  const use = Object.hasOwn(kubeletMembers, name) ? kubeletMembers[name] : undefined;
  if (use === undefined) return [`strict decoding error: unknown field ${JSON.stringify(name)}`];
  if (use === "followed" || "idle" in use || value === null || isEmpty(value)) return [];
  if (use.only.some((each) => JSON.stringify(each) === JSON.stringify(value))) return [];
  const allowed = use.only.length > 0 ? ` (only ${use.only.map((each) => JSON.stringify(each)).join(", ")})` : "";
  return [`${name} is not followed${allowed}: ${use.reason}`];
}

const gates = new Map(builtInFeatureGates.map((gate) => [gate.name, gate]));

/** Gates stand as 1.36 has them; those that are unknown are refused as upstream refuses them (k8s.io/component-base/featuregate/feature_gate.go, SetFromMap). */
function refuseGates(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return ownEntries(value as Record<string, unknown>).flatMap(([name, isOn]) => {
    const gate = gates.get(name);
    if (!gate) return [`unrecognized feature gate: ${name}`];
    if (isOn === gate.default) return [];
    return [`featureGates.${name} is not followed (only ${gate.default}): features are as in 1.36 by default`];
  });
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** What a real node goes by, with upstream's defaults. */
export interface RealRules {
  readonly requestTimeoutMs: number;
  /** Of images; Infinity: as many as there are pods that start. */
  readonly maxParallelPulls: number;
  /** In microseconds; undefined: CPU limits are not enforced. */
  readonly quotaPeriod: number | undefined;
  readonly logMaxBytes: number;
  readonly logMaxFiles: number;
  readonly logMonitorMs: number;
  /** Of pods with users of their own. */
  readonly idsPerPod: number;
}

/** @throws Error that names what is wrong */
export function realRules(config: RealKubeletConfig): RealRules {
  const { cpuCFSQuota = true } = config;
  return {
    requestTimeoutMs: duration("runtimeRequestTimeout", config.runtimeRequestTimeout, "2m"),
    maxParallelPulls: parallelPulls(config),
    quotaPeriod: cpuCFSQuota ? duration("cpuCFSQuotaPeriod", config.cpuCFSQuotaPeriod, "100ms") * 1000 : undefined,
    logMaxBytes: quantityValue(config.containerLogMaxSize ?? "10Mi"),
    logMaxFiles: config.containerLogMaxFiles ?? 5,
    logMonitorMs: duration("containerLogMonitorInterval", config.containerLogMonitorInterval, "10s"),
    idsPerPod: idsPerPod(config),
  };
}

/** Upstream's `pkg/kubelet/apis/config/validation`, `ValidateKubeletConfiguration`: whole pods' shares of 2^32. */
function idsPerPod({ userNamespaces }: RealKubeletConfig): number {
  const count = userNamespaces?.idsPerPod ?? idsUnit;
  if (!Number.isInteger(count) || count < idsUnit || count >= 2 ** 32 || count % idsUnit !== 0)
    throw new Error(`userNamespaces.idsPerPod must be a multiple of ${idsUnit} below ${2 ** 32}, not ${count}`);
  return count;
}

/** As upstream's defaults and validation have it (pkg/kubelet/apis/config): one at a time, unless pulls are not serialized. */
function parallelPulls({ serializeImagePulls, maxParallelImagePulls }: RealKubeletConfig): number {
  const isSerial = serializeImagePulls ?? (maxParallelImagePulls === undefined || maxParallelImagePulls === 1);
  if (maxParallelImagePulls !== undefined && maxParallelImagePulls < 1)
    throw new Error(`maxParallelImagePulls must be a positive number, not ${maxParallelImagePulls}`);
  if (isSerial && (maxParallelImagePulls ?? 1) !== 1)
    throw new Error("maxParallelImagePulls cannot be larger than 1 unless serializeImagePulls is false");
  return isSerial ? 1 : (maxParallelImagePulls ?? Number.POSITIVE_INFINITY);
}

function duration(name: string, text: string | undefined, fallback: string): number {
  const ms = parseDurationMs(text ?? fallback);
  if (ms === undefined || ms <= 0) throw new Error(`${name}: ${JSON.stringify(text)} is no duration`);
  return ms;
}
