import { FlagError } from "@coxswain/component/flags";
import { apiserverFlags } from "./apiserver-flags.js";
import { kubeApiserverFlags } from "./kube-apiserver-flags.js";

/** Why a flag of kube-apiserver is not taken. The first beginning that fits. */
const reasons: readonly (readonly [beginning: string, why: string])[] = [
  [
    "admission-control",
    "it is kube-apiserver's old name; use --enable-admission-plugins and --disable-admission-plugins",
  ],
  ["allow-metric-labels", "metrics have fixed labels"],
  ["cert-dir", "certificates are kept in --data-dir, or are given by --tls-cert-file"],
  ["contention-profiling", "there are no locks to profile"],
  ["coordinated-leadership-", "leaders are not chosen by the server yet"],
  ["debug-socket-path", "profiles are served on the secure port only"],
  ["default-", "the tolerations that pods get are not adjustable yet"],
  ["delete-collection-workers", "sixteen objects of a collection are deleted at a time"],
  ["disable-http2-serving", "clients choose the protocol"],
  ["disabled-metrics", "all metrics are counted"],
  ["egress-selector-config-file", "connections go out directly"],
  ["emulat", "only 1.36 is served"],
  ["enable-garbage-collector", "the server always does its part of garbage collection"],
  ["endpoint-reconciler-type", "the kubernetes service names this server"],
  ["etcd-", "this setting of the store is not adjustable"],
  ["kubelet-", "how long a kubelet may take is not adjustable yet"],
  ["kubernetes-service-node-port", "the kubernetes service has a cluster address only"],
  ["log-", "the log is written at once, to one stream"],
  ["max-connection-bytes-per-sec", "connections have no limit of speed"],
  ["min-compatibility-version", "only 1.36 is served"],
  ["peer-", "servers do not hand requests to one another yet"],
  ["permit-", "how the port is bound is not adjustable"],
  ["runtime-config-emulation", "only 1.36 is served"],
  ["show-hidden-metrics-for-version", "there are no hidden metrics"],
  ["storage-", "what keeps the data is chosen by --storage"],
  ["tls-curve-preferences", "curves are Node's choice"],
  ["tracing-config-file", "there is no tracing yet"],
  ["version", "see coxswain version"],
  ["vmodule", "the log has one level for all parts; use --v"],
  ["watch-cache", "every resource has a watch cache of the size it needs"],
];

/** Why a flag that kube-apiserver has is not taken; undefined: it is taken, or kube-apiserver has no such flag. */
export function unsupportedReason(name: string): string | undefined {
  if (!kubeApiserverFlags.includes(name) || Object.hasOwn(apiserverFlags, name)) return undefined;
  return reasons.find(([beginning]) => name.startsWith(beginning))?.[1] ?? "it is not supported yet";
}

/** For flags of kube-apiserver that are not supported: an error with the reason, instead of "unknown flag". @throws FlagError */
export function refuseUnsupported(args: readonly string[]): void {
  for (const argument of args) {
    if (argument === "--") return;
    const name = /^--([^=]+)/.exec(argument)?.[1]?.replaceAll("_", "-");
    const reason = name === undefined ? undefined : unsupportedReason(name);
    if (reason !== undefined)
      throw new FlagError(`--${name} is a flag of kube-apiserver that Coxswain does not take: ${reason}`);
  }
}
