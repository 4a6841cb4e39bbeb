import type { Container, ContainerPort, PodSpec, ResourceRequirements } from "@coxswain/api/core/v1";
import { containerResources, isPodLevelResource, quantities, specOnly } from "@coxswain/api/pods";
import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { dropInitContainerAnnotations } from "../../pod-spec/init-container-annotations.js";
import { isHugePages, mayOvercommit } from "../../pod-spec/resources/resource-names.js";
import type { StoredPod } from "./stored.js";

/** What only a pod gets, not the template of one. The defaults of the types it is made of come after. */
export function setPodDefaults({ metadata, spec, status }: StoredPod): void {
  for (const { resources } of containersOf(spec)) requestLimits(resources);
  setPodLevelLimits(spec);
  setPodLevelRequests(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) for (const { ports = [] } of containersOf(spec)) setHostPorts(ports);
  // Old clients sent these; a negative grace period meant none.
  dropInitContainerAnnotations(metadata);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  setPodIps(status);
}

const containersOf = ({ containers, initContainers = [] }: PodSpec): Container[] => [
  ...(containers ?? []),
  ...initContainers,
];

function requestLimits(resources: ResourceRequirements | undefined): void {
  if (!resources?.limits) return;
  resources.requests ??= {};
  for (const [name, amount] of ownEntries(resources.limits))
    if (getOwn(resources.requests, name) === undefined) setOwn(resources.requests, name, amount);
}

const setHostPorts = (ports: ContainerPort[]): void => {
  for (const port of ports) port.hostPort ||= port.containerPort;
};

/** Huge pages of the containers count against the pod, unless it has its own amounts. */
function setPodLevelLimits(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources?.limits && !resources?.requests) return;
  for (const [name, amount] of containerResources({ spec }, "limits", specOnly, quantities)) {
    if (
      !isHugePages(name) ||
      getOwn(resources.requests, name) !== undefined ||
      getOwn(resources.limits, name) !== undefined
    )
      continue;
    setOwn((resources.limits ??= {}), name, amount.toString());
  }
}

/** What the containers ask for together, else what the pod is limited to. */
function setPodLevelRequests(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources?.limits) return;
  const asked = [...containerResources({ spec }, "requests", specOnly, quantities)]
    .filter(([name]) => mayOvercommit(name))
    .map(([name, amount]) => [name, amount.toString()] as const);
  for (const [name, amount] of [...asked, ...ownEntries(resources.limits)]) {
    if (!isPodLevelResource(name) || getOwn(resources.requests, name) !== undefined) continue;
    setOwn((resources.requests ??= {}), name, amount);
  }
}

/** The single address is the first of the list; where they differ, an old kubelet wrote the single one. */
function setPodIps(status: StoredPod["status"]): void {
  const { podIP = "", podIPs = [] } = status;
  if (podIP !== "" && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }];
  else if (podIPs[0]) status.podIP = podIPs[0].ip;
}
