import type { ConfigMap } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { encodePem, readCertificates } from "@coxswain/wire/x509";
import type { RequestHeaderOptions } from "../../authentication/request-headers.js";

export interface ClusterAuthentication {
  /** PEM of the authority that signs client certificates. */
  readonly clientCa?: string;
  readonly requestHeader?: RequestHeaderOptions;
}

type Data = Record<string, string>;

export const extensionAuthenticationName = "extension-apiserver-authentication";

/** A certificate that ended just now may still be needed where clocks differ. */
const graceMs = 5 * 60_000;

/**
 * What aggregated servers, the scheduler and the controller manager read at their start to know whom this server trusts. What other
 * servers of the cluster have written there stays, except for certificates that have ended.
 */
export function extensionAuthentication(
  { clientCa, requestHeader }: ClusterAuthentication,
  existing: KubernetesObject | undefined,
  now: number,
): KubernetesObject {
  const before = (existing as ConfigMap | undefined)?.data as Data | undefined;
  const authorities = (member: string, own: string | undefined): string =>
    combineCertificates([getOwn(before, member) ?? "", own ?? ""], now);
  const names = (member: string, own: readonly string[]): string =>
    JSON.stringify([...new Set([...listOf(getOwn(before, member)), ...own])]);
  const clients = authorities("client-ca-file", clientCa);
  const proxies = authorities("requestheader-client-ca-file", requestHeader?.authority);
  const uid = names("requestheader-uid-headers", requestHeader?.uid ?? []);
  return configMap(extensionAuthenticationName, {
    ...(clients === "" ? {} : { "client-ca-file": clients }),
    ...(proxies === ""
      ? {}
      : {
          "requestheader-username-headers": names("requestheader-username-headers", requestHeader?.username ?? []),
          ...(uid === "[]" ? {} : { "requestheader-uid-headers": uid }),
          "requestheader-group-headers": names("requestheader-group-headers", requestHeader?.group ?? []),
          "requestheader-extra-headers-prefix": names(
            "requestheader-extra-headers-prefix",
            requestHeader?.extraPrefix ?? [],
          ),
          "requestheader-client-ca-file": proxies,
          "requestheader-allowed-names": names("requestheader-allowed-names", requestHeader?.allowedNames ?? []),
        }),
  });
}

/** Each certificate once. A bundle that cannot be parsed counts as empty. */
function combineCertificates(bundles: readonly string[], now: number): string {
  const all = new Map<string, Buffer>();
  for (const bundle of bundles) {
    for (const { der, notAfter } of certificatesIn(bundle))
      if (notAfter > now - graceMs) all.set(der.toString("base64"), der);
  }
  return [...all.values()].map((der) => encodePem("CERTIFICATE", der)).join("");
}

function certificatesIn(bundle: string): ReturnType<typeof readCertificates> {
  try {
    return readCertificates(bundle);
  } catch {
    return [];
  }
}

function listOf(text: string | undefined): string[] {
  try {
    const list = JSON.parse(text ?? "[]") as unknown;
    return Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];
  } catch {
    return []; // somebody has spoilt it
  }
}

export const legacyTokenTrackingName = "kube-apiserver-legacy-service-account-token-tracking";

/** Since when secrets that hold service account tokens carry the day of their last use. A day that was written before stays. */
export function legacyTokenTracking(now: number, existing?: KubernetesObject): KubernetesObject {
  const before = (existing as ConfigMap | undefined)?.data as Data | undefined;
  const since = getOwn(before, "since") ?? "";
  return configMap(legacyTokenTrackingName, {
    ...before,
    since: isDay(since) ? since : new Date(now).toISOString().slice(0, 10),
  });
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const configMap = (name: string, data: Data): KubernetesObject =>
  ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "kube-system" }, data }) as KubernetesObject;
