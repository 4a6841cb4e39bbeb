import { readFileSync } from "node:fs";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { formatDurationMs } from "@coxswain/apimachinery/time";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { FlagError, type OptionsOf } from "@coxswain/component/flags";
import { type ConfigDocument, checkedConfig, type ProxyConfig, parseProxyConfig } from "@coxswain/proxy";
import type { proxyFlags } from "./proxy-flags.js";

export type ProxyFlagOptions = OptionsOf<typeof proxyFlags>;

/** The configuration of the file, or of the flags. @throws FlagError that names the file and what is wrong with it */
export function settingsFrom(options: ProxyFlagOptions): ProxyConfig {
  const { config: file } = options;
  if (file === undefined) return configFromDocument(documentOf(options));
  const config = configFromFile(file);
  const { hostnameOverride } = options;
  return hostnameOverride === undefined ? config : { ...config, hostnameOverride };
}

/** @throws FlagError that names the file and what is wrong with it */
export const configFromFile = (file: string): ProxyConfig =>
  checked(() => parseProxyConfig(readFileSync(file, "utf8")), `${file}: `);

/** @throws FlagError */
export const configFromDocument = (document: ConfigDocument): ProxyConfig => checked(() => checkedConfig(document));

function checked(make: () => ProxyConfig, before = ""): ProxyConfig {
  try {
    const config = make();
    const gates = new Map(Object.entries(config.featureGates).map(([name, isOn]) => [name, String(isOn)]));
    createFeatureGates(builtInFeatureGates, gates);
    return config;
  } catch (error) {
    throw new FlagError(`${before}${(error as Error).message}`);
  }
}

function documentOf(options: ProxyFlagOptions): ConfigDocument {
  const period = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : formatDurationMs(ms));
  return withoutUndefined({
    mode: options.proxyMode,
    featureGates: Object.fromEntries([...options.featureGates].map(([name, value]) => [name, value === "true"])),
    clientConnection: withoutUndefined({
      kubeconfig: options.kubeconfig,
      qps: options.kubeApiQps,
      burst: options.kubeApiBurst,
    }),
    hostnameOverride: options.hostnameOverride,
    bindAddress: options.bindAddress,
    healthzBindAddress: options.healthzBindAddress,
    metricsBindAddress: options.metricsBindAddress,
    bindAddressHardFail: options.bindAddressHardFail,
    enableProfiling: options.profiling,
    clusterCIDR: options.clusterCidr,
    detectLocalMode: options.detectLocalMode,
    detectLocal: withoutUndefined({
      bridgeInterface: options.podBridgeInterface,
      interfaceNamePrefix: options.podInterfaceNamePrefix,
    }),
    nodePortAddresses: options.nodeportAddresses,
    nftables: { masqueradeAll: options.masqueradeAll },
    oomScoreAdj: options.oomScoreAdj,
    conntrack: withoutUndefined({
      maxPerCore: options.conntrackMaxPerCore,
      min: options.conntrackMin,
      tcpEstablishedTimeout: period(options.conntrackTcpTimeoutEstablished),
      tcpCloseWaitTimeout: period(options.conntrackTcpTimeoutCloseWait),
      tcpBeLiberal: options.conntrackTcpBeLiberal,
      udpTimeout: period(options.conntrackUdpTimeout),
      udpStreamTimeout: period(options.conntrackUdpTimeoutStream),
    }),
  });
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

const withoutUndefined = <T extends object>(object: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;
