import type { Encodable } from "@coxswain/wire/protobuf";
import {
  type ContainerConfig as CriContainer,
  type Mount as CriMount,
  MountPropagation as CriPropagation,
  Signal,
} from "../gen/cri.js";
import { containerLogName } from "../logs/log-path.js";
import { type CachedContainer, findContainer } from "../objects/cached-pod.js";
import { ConfigError, type ContainerConfig, type Mount, type MountPropagation } from "../runtime/container-runtime.js";
import { containerAnnotations, containerLabels, resourcesAnnotation } from "./labels.js";
import { planResources, type ResourceFacts } from "./plan-resources.js";
import { planIdMappings, planSecurity, type SecurityFacts } from "./plan-security.js";

export interface ContainerFacts {
  readonly resources: ResourceFacts;
  readonly security: SecurityFacts;
  /** Files that the kubelet makes for this run, besides volumes: /etc/hosts, the termination message. */
  readonly ownMounts: readonly { readonly path: string; readonly hostPath: string }[];
}

/** Pure: a container's configuration for the runtime. Upstream's `kuberuntime_container.go`, `generateContainerConfig`. @throws ConfigError */
export function planContainer(config: ContainerConfig, facts: ContainerFacts): Encodable<typeof CriContainer> {
  const { pod, name, image, attempt, targetId, userNamespace } = config;
  const container = containerOf(config);
  const annotations = containerAnnotations(pod, container, config);
  annotations.set(resourcesAnnotation, JSON.stringify(config.resources));
  const own = facts.ownMounts.map(({ path, hostPath }) => ({ containerPath: path, hostPath }));
  // Files keep the owners that the node sees, and have those of the pod inside it.
  const mappings = userNamespace && planIdMappings(userNamespace);
  const idMappings = mappings && { uidMappings: mappings, gidMappings: mappings };
  return {
    metadata: { name, attempt },
    image: { image: image.id, userSpecifiedImage: container.image ?? "" },
    command: config.command,
    args: config.args,
    workingDir: config.workingDir,
    envs: [...config.env].map(([key, value]) => ({ key, value: Buffer.from(value) })),
    mounts: [...config.mounts.map(mountOf), ...own].map((mount) => ({ ...mount, ...idMappings })),
    labels: containerLabels(pod, name),
    annotations,
    logPath: containerLogName(name, attempt),
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    ...stopSignalOf(container),
    linux: {
      resources: planResources(pod, { ...container, resources: config.resources }, facts.resources),
      securityContext: planSecurity(
        { pod, container, image, userNamespace, ...(targetId !== undefined && { targetId }) },
        facts.security,
      ),
    },
  };
}

/** As the pod has it; one that is no longer there has nothing but its name. */
const containerOf = ({ pod, name }: ContainerConfig): CachedContainer => findContainer(pod, name) ?? { name };

const propagations: Readonly<Record<MountPropagation, number>> = {
  None: CriPropagation.PROPAGATION_PRIVATE,
  HostToContainer: CriPropagation.PROPAGATION_HOST_TO_CONTAINER,
  Bidirectional: CriPropagation.PROPAGATION_BIDIRECTIONAL,
};

function mountOf({
  path,
  readOnly,
  recursiveReadOnly,
  propagation,
  source,
  subPath,
}: Mount): Encodable<typeof CriMount> {
  const common = {
    containerPath: path.startsWith("/") ? path : `/${path}`,
    readonly: readOnly,
    recursiveReadOnly,
    propagation: propagations[propagation],
  };
  switch (source.kind) {
    case "host":
      return { ...common, hostPath: source.path };
    case "image":
      return { ...common, image: { image: source.ref }, ...(subPath !== undefined && { imageSubPath: subPath }) };
    case "scratch":
    case "persistent":
    case "files":
      throw new ConfigError(`the volume at ${path} is not on the node's disk`);
  }
}

const signals: Readonly<Record<string, number>> = Signal;

/** Names of the API are those of CRI, with signs in words: SIGRTMIN+1. */
function stopSignalOf({ lifecycle }: CachedContainer): { stopSignal?: number } {
  const name = lifecycle?.stopSignal?.replace("+", "PLUS").replace("-", "MINUS");
  const signal = name === undefined ? undefined : signals[name];
  return signal === undefined ? {} : { stopSignal: signal };
}
