import type { DeepReadonly } from "@coxswain/api";
import type { LifecycleHandler, Probe } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { ownEntries } from "@coxswain/apimachinery/own";
import {
  type Check,
  type CheckPod,
  containersOf,
  namesOf,
  plural,
  quoted,
  setters,
  sorted,
  theContainers,
  unlessOwnUsers,
} from "./check.js";
import { seccompBaseline } from "./seccomp-checks.js";
import { seLinuxOptions } from "./selinux-check.js";
import { sysctls } from "./sysctls-check.js";

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

const appArmor: CheckPod = (pod) => {
  const isBad = (profile: { readonly type: string } | undefined): boolean =>
    profile !== undefined && profile.type !== "RuntimeDefault" && profile.type !== "Localhost";
  const own = pod.spec.securityContext?.appArmorProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.appArmorProfile));
  const annotations = ownEntries(pod.metadata.annotations).filter(
    ([key, value]) =>
      key.startsWith(appArmorPrefix) && value !== "" && value !== "runtime/default" && !value.startsWith("localhost/"),
  );
  const values = sorted([
    ...(own && isBad(own) ? [own.type] : []),
    ...bad.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? ""),
  ]);
  append(values, sorted(annotations.map(([key, value]) => `${key}=${JSON.stringify(value)}`)));
  const who = setters(
    isBad(own),
    bad.map(({ name }) => name),
  );
  if (annotations.length > 0) who.push(plural("annotation", "annotations", annotations.length));
  if (who.length === 0) return undefined;
  return {
    reason: plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values.length),
    detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const defaultCapabilities = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

const capabilities: CheckPod = (pod) => {
  const added = new Map(
    containersOf(pod).map((container) => [
      container,
      (container.securityContext?.capabilities?.add ?? []).filter((each) => !defaultCapabilities.has(each)),
    ]),
  );
  const bad = [...added].filter(([, each]) => each.length > 0);
  if (bad.length === 0) return undefined;
  return {
    reason: "non-default capabilities",
    detail: `${theContainers(bad.map(([{ name }]) => name))} must not include ${quoted(sorted(bad.flatMap(([, each]) => each)))} in securityContext.capabilities.add`,
  };
};

const hostNamespaces: CheckPod = ({ spec }) => {
  const used = [
    ...(spec.hostNetwork ? ["hostNetwork=true"] : []),
    ...(spec.hostPID ? ["hostPID=true"] : []),
    ...(spec.hostIPC ? ["hostIPC=true"] : []),
  ];
  return used.length > 0 ? { reason: "host namespaces", detail: used.join(", ") } : undefined;
};

const hostPathVolumes: CheckPod = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return names.length > 0
    ? { reason: "hostPath volumes", detail: `${plural("volume", "volumes", names.length)} ${quoted(names)}` }
    : undefined;
};

const hostPorts: CheckPod = (pod) => {
  const names = namesOf(pod, ({ ports = [] }) => ports.some(({ hostPort }) => hostPort));
  if (names.length === 0) return undefined;
  const ports = sorted(
    containersOf(pod).flatMap(({ ports: each = [] }) =>
      each.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
    ),
  );
  return {
    reason: "hostPort",
    detail: `${theContainers(names)} ${plural("uses", "use", names.length)} ${plural("hostPort", "hostPorts", ports.length)} ${ports.join(", ")}`,
  };
};

const hostProbes: CheckPod = (pod) => {
  const hostsOf = (handler: DeepReadonly<Probe | LifecycleHandler> | undefined): string[] =>
    [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host): host is string => !!host);
  const hosts = containersOf(pod).map(({ name, livenessProbe, readinessProbe, startupProbe, lifecycle }) => ({
    name,
    hosts: [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf),
  }));
  const bad = hosts.filter((each) => each.hosts.length > 0);
  if (bad.length === 0) return undefined;
  const [names, forbidden] = [sorted(bad.map(({ name }) => name)), sorted(bad.flatMap((each) => each.hosts))];
  const what = plural("probe or lifecycle host", "probe or lifecycle hosts", forbidden.length);
  return {
    reason: "probe or lifecycle host",
    detail: `${theContainers(names)} ${plural("uses", "use", names.length)} ${what} ${quoted(forbidden)}`,
  };
};

const privileged: CheckPod = (pod) => {
  const names = namesOf(pod, ({ securityContext }) => securityContext?.privileged === true);
  return names.length > 0
    ? { reason: "privileged", detail: `${theContainers(names)} must not set securityContext.privileged=true` }
    : undefined;
};

export const procMount: CheckPod = (pod) => {
  const bad = containersOf(pod).filter(
    ({ securityContext }) => securityContext?.procMount !== undefined && securityContext.procMount !== "Default",
  );
  if (bad.length === 0) return undefined;
  return {
    reason: "procMount",
    detail: `${theContainers(bad.map(({ name }) => name))} must not set securityContext.procMount to ${quoted(sorted(bad.map(({ securityContext }) => securityContext?.procMount ?? "")))}`,
  };
};

const windowsHostProcess: CheckPod = (pod) => {
  const who = setters(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    namesOf(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true),
  );
  return who.length > 0
    ? {
        reason: "hostProcess",
        detail: `${who.join(" and ")} must not set securityContext.windowsOptions.hostProcess=true`,
      }
    : undefined;
};

/** What hardly any program needs, and what opens the node to the pod. */
export const baselineChecks: readonly Check[] = [
  { id: "appArmorProfile", level: "baseline", versions: [{ from: 0, check: appArmor }] },
  { id: "capabilities_baseline", level: "baseline", versions: [{ from: 0, check: capabilities }] },
  { id: "hostNamespaces", level: "baseline", versions: [{ from: 0, check: hostNamespaces }] },
  { id: "hostPathVolumes", level: "baseline", versions: [{ from: 0, check: hostPathVolumes }] },
  { id: "hostPorts", level: "baseline", versions: [{ from: 0, check: hostPorts }] },
  { id: "hostProbesAndHostLifecycle", level: "baseline", versions: [{ from: 34, check: hostProbes }] },
  { id: "privileged", level: "baseline", versions: [{ from: 0, check: privileged }] },
  {
    id: "procMount",
    level: "baseline",
    versions: [
      { from: 0, check: procMount },
      { from: 35, check: unlessOwnUsers(procMount) },
    ],
  },
  seLinuxOptions,
  seccompBaseline,
  sysctls,
  { id: "windowsHostProcess", level: "baseline", versions: [{ from: 0, check: windowsHostProcess }] },
];
