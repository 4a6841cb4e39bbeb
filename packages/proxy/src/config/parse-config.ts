import { createTypeRegistry } from "@coxswain/apimachinery/schema";
import { decodeYaml, parseYaml } from "@coxswain/apimachinery/yaml";
import { completeConfig } from "./complete-config.js";
import { type ConfigDocument, configPackage, configTypes } from "./config-types.js";
import type { ProxyConfig } from "./proxy-config.js";
import { validateConfig } from "./validate-config.js";

const types = createTypeRegistry([configTypes]);
const groupVersion = "kubeproxy.config.k8s.io/v1alpha1";

/**
 * A KubeProxyConfiguration, in YAML or JSON, with its defaults.
 * @throws Error in upstream's words for what cannot be read or is not valid, in ours for what is not followed
 */
export function parseProxyConfig(text: string): ProxyConfig {
  const { apiVersion, kind } = (parseYaml(text).value ?? {}) as { apiVersion?: string; kind?: string };
  if (!kind) throw new Error("Object 'Kind' is missing");
  if (!apiVersion) throw new Error("Object 'apiVersion' is missing");
  if (apiVersion !== groupVersion || kind !== "KubeProxyConfiguration")
    throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"; expected ${groupVersion}`);
  const { object, warnings } = decodeYaml(text, types.get(`${configPackage}.KubeProxyConfiguration`), { strict: true });
  if (warnings.length > 0) throw new Error(`strict decoding error: ${warnings.join(", ")}`);
  return checkedConfig(object as ConfigDocument);
}

/** The same from a document that was made otherwise, such as from flags. */
export function checkedConfig(document: ConfigDocument): ProxyConfig {
  const refusal = refusals.find(({ when }) => when(document));
  if (refusal !== undefined) throw new Error(refusal.why(document));
  const config = completeConfig(document);
  const errors = validateConfig(config);
  if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`);
  return config;
}

/**
 * What kube-proxy takes and this proxy refuses, each with its reason. The sections `iptables` and `ipvs` are not among them: kube-proxy
 * does not look at them in nftables mode either.
 */
const refusals: readonly { when(document: ConfigDocument): boolean; why(document: ConfigDocument): string }[] = [
  {
    when: ({ mode = "" }) => mode === "iptables" || mode === "ipvs",
    why: ({ mode }) =>
      `mode: ${mode} is not supported: this proxy keeps services as elements of nftables maps, which ${mode} has not; use mode: nftables`,
  },
  {
    when: ({ mode = "" }) => mode !== "" && mode !== "nftables",
    why: ({ mode }) => `mode: ${JSON.stringify(mode)} is unknown; use mode: nftables`,
  },
  {
    when: ({ windowsRunAsService, winkernel = {} }) =>
      windowsRunAsService === true || Object.values(winkernel).some((value) => value !== "" && value !== false),
    why: () => "winkernel and windowsRunAsService are not supported: this proxy runs on Linux",
  },
  {
    when: ({ showHiddenMetricsForVersion = "" }) => showHiddenMetricsForVersion !== "",
    why: () => "showHiddenMetricsForVersion is not supported: there are no hidden metrics",
  },
  {
    when: ({ logging = {} }) => (logging.vmodule ?? []).length > 0,
    why: () => "logging.vmodule is not supported: the log has one level for all parts; use logging.verbosity",
  },
];
