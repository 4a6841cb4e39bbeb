import type { Container, PodSecurityContext, SecurityContext } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Encodable } from "@coxswain/wire/protobuf";
import {
  type IDMapping,
  type LinuxContainerSecurityContext,
  type LinuxSandboxSecurityContext,
  NamespaceMode,
  type NamespaceOption,
  ProfileType,
  type SecurityProfile,
  SupplementalGroupsPolicy,
} from "../gen/cri.js";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  describePod,
  ephemeralContainersOf,
  initContainersOf,
} from "../objects/cached-pod.js";
import { ConfigError, type IdRange, type ImageRecord, type PodSandboxConfig } from "../runtime/container-runtime.js";

export interface SecurityFacts {
  /** Where profiles of type Localhost are: `<root directory>/seccomp`. */
  readonly seccompRoot: string;
  /** `seccompDefault`: containers that ask for no profile get the runtime's. */
  readonly seccompDefault: boolean;
}

type Profile = Encodable<typeof SecurityProfile>;
type Namespaces = Encodable<typeof NamespaceOption>;

/** What containers do not see of /proc and /sys. Upstream's `pkg/securitycontext/util.go`. */
const maskedPaths = [
  "/proc/asound",
  "/proc/acpi",
  "/proc/interrupts",
  "/proc/kcore",
  "/proc/keys",
  "/proc/latency_stats",
  "/proc/timer_list",
  "/proc/timer_stats",
  "/proc/sched_debug",
  "/proc/scsi",
  "/sys/firmware",
  "/sys/devices/virtual/powercap",
];
const readonlyPaths = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

/** Pure: of the namespaces of the kernel, which the pod shares with the node, and which its containers share. */
export function planNamespaces(
  { pod: { spec }, userNamespace }: Pick<PodSandboxConfig, "pod" | "userNamespace">,
  targetId?: string,
): Namespaces {
  const pid = spec?.hostPID
    ? NamespaceMode.NODE
    : spec?.shareProcessNamespace
      ? NamespaceMode.POD
      : NamespaceMode.CONTAINER;
  return {
    network: spec?.hostNetwork ? NamespaceMode.NODE : NamespaceMode.POD,
    ipc: spec?.hostIPC ? NamespaceMode.NODE : NamespaceMode.POD,
    pid,
    usernsOptions: userNamespace
      ? { mode: NamespaceMode.POD, uids: planIdMappings(userNamespace), gids: planIdMappings(userNamespace) }
      : { mode: NamespaceMode.NODE },
    ...(targetId !== undefined && pid === NamespaceMode.CONTAINER && { pid: NamespaceMode.TARGET, targetId }),
  };
}

/** Pure: users and groups are mapped alike. */
export const planIdMappings = ({ firstId, length }: IdRange): Encodable<typeof IDMapping>[] => [
  { hostId: firstId, containerId: 0, length },
];

/** Pure: who the pause process runs as. Upstream's `kuberuntime_sandbox.go`, `generatePodSandboxLinuxConfig`. */
export function planSandboxSecurity({
  pod,
  userNamespace,
}: Pick<PodSandboxConfig, "pod" | "userNamespace">): Encodable<typeof LinuxSandboxSecurityContext> {
  const context = pod.spec?.securityContext;
  const all = [...initContainersOf(pod), ...containersOf(pod), ...ephemeralContainersOf(pod)];
  return {
    privileged: all.some(({ securityContext }) => securityContext?.privileged === true),
    // A pod's own profile may be too strict for the pause process.
    seccomp: { profileType: ProfileType.RuntimeDefault },
    namespaceOptions: planNamespaces({ pod, userNamespace }),
    ...userOf(context),
    ...groupsOf(context),
    ...seLinuxOf(context?.seLinuxOptions),
  };
}

export interface SecuredContainer {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  readonly image: ImageRecord;
  readonly userNamespace?: IdRange | undefined;
  readonly targetId?: string;
}

/**
 * Pure: who a container runs as and what it may do. Upstream's `security_context.go`, `determineEffectiveSecurityContext`.
 * @throws ConfigError where the pod forbids what would happen
 */
export function planSecurity(
  { pod, container, image, userNamespace, targetId }: SecuredContainer,
  facts: SecurityFacts,
): Encodable<typeof LinuxContainerSecurityContext> {
  const podContext = pod.spec?.securityContext;
  const context: DeepReadonly<SecurityContext> = { ...sharedContext(podContext), ...container.securityContext };
  refuseRoot({ pod, container, image }, context);
  const { capabilities, privileged = false, procMount } = context;
  const isUnmasked = procMount === "Unmasked";
  return {
    ...(capabilities && {
      capabilities: { addCapabilities: capabilities.add ?? [], dropCapabilities: capabilities.drop ?? [] },
    }),
    privileged,
    namespaceOptions: planNamespaces({ pod, userNamespace }, targetId),
    ...seLinuxOf(context.seLinuxOptions),
    ...(context.runAsUser === undefined ? imageUser(image) : userOf(context)),
    ...(context.runAsGroup !== undefined && { runAsGroup: { value: context.runAsGroup } }),
    readonlyRootfs: context.readOnlyRootFilesystem ?? false,
    ...groupsOf(podContext),
    noNewPrivs: context.allowPrivilegeEscalation === false,
    maskedPaths: isUnmasked ? [] : maskedPaths,
    readonlyPaths: isUnmasked ? [] : readonlyPaths,
    seccomp: seccompOf(container.securityContext?.seccompProfile ?? podContext?.seccompProfile, facts),
    ...appArmorOf(container.securityContext?.appArmorProfile ?? podContext?.appArmorProfile),
  };
}

/** What a pod sets for all its containers. */
function sharedContext(context: DeepReadonly<PodSecurityContext> | undefined): DeepReadonly<SecurityContext> {
  const { runAsUser, runAsGroup, runAsNonRoot, seLinuxOptions } = context ?? {};
  return {
    ...(runAsUser !== undefined && { runAsUser }),
    ...(runAsGroup !== undefined && { runAsGroup }),
    ...(runAsNonRoot !== undefined && { runAsNonRoot }),
    ...(seLinuxOptions && { seLinuxOptions }),
  };
}

const userOf = (
  context: { readonly runAsUser?: number; readonly runAsGroup?: number } | undefined,
): { runAsUser?: { value: number }; runAsGroup?: { value: number } } => ({
  ...(context?.runAsUser !== undefined && { runAsUser: { value: context.runAsUser } }),
  ...(context?.runAsGroup !== undefined && { runAsGroup: { value: context.runAsGroup } }),
});

/** An image that names nobody runs as root. */
const imageUser = ({ user }: ImageRecord): { runAsUser?: { value: number }; runAsUsername?: string } =>
  user.uid === undefined && user.name ? { runAsUsername: user.name } : { runAsUser: { value: user.uid ?? 0 } };

function groupsOf(
  context: DeepReadonly<PodSecurityContext> | undefined,
): Pick<Encodable<typeof LinuxContainerSecurityContext>, "supplementalGroups" | "supplementalGroupsPolicy"> {
  const { fsGroup, supplementalGroups = [], supplementalGroupsPolicy } = context ?? {};
  return {
    supplementalGroups: [...(fsGroup === undefined ? [] : [fsGroup]), ...supplementalGroups],
    supplementalGroupsPolicy:
      supplementalGroupsPolicy === "Strict" ? SupplementalGroupsPolicy.Strict : SupplementalGroupsPolicy.Merge,
  };
}

const seLinuxOf = (
  options: DeepReadonly<PodSecurityContext>["seLinuxOptions"],
): { selinuxOptions?: { user: string; role: string; type: string; level: string } } =>
  options
    ? {
        selinuxOptions: {
          user: options.user ?? "",
          role: options.role ?? "",
          type: options.type ?? "",
          level: options.level ?? "",
        },
      }
    : {};

/** Upstream's `helpers.go`, `fieldSeccompProfile`. @throws ConfigError */
function seccompOf(
  profile: DeepReadonly<SecurityContext>["seccompProfile"],
  { seccompRoot, seccompDefault }: SecurityFacts,
): Profile {
  if (!profile) return { profileType: seccompDefault ? ProfileType.RuntimeDefault : ProfileType.Unconfined };
  if (profile.type === "RuntimeDefault") return { profileType: ProfileType.RuntimeDefault };
  if (profile.type !== "Localhost") return { profileType: ProfileType.Unconfined };
  if (!profile.localhostProfile)
    throw new ConfigError("localhostProfile must be set if seccompProfile type is Localhost.");
  return { profileType: ProfileType.Localhost, localhostRef: `${seccompRoot}/${profile.localhostProfile}` };
}

/** Also in the form that older runtimes read. @throws ConfigError */
function appArmorOf(profile: DeepReadonly<SecurityContext>["appArmorProfile"]): {
  apparmor?: Profile;
  apparmorProfile?: string;
} {
  switch (profile?.type) {
    case undefined:
      return {};
    case "RuntimeDefault":
      return { apparmor: { profileType: ProfileType.RuntimeDefault }, apparmorProfile: "runtime/default" };
    case "Unconfined":
      return { apparmor: { profileType: ProfileType.Unconfined }, apparmorProfile: "unconfined" };
    case "Localhost": {
      const name = profile.localhostProfile;
      if (name === undefined) throw new ConfigError("missing localhost apparmor profile name");
      return {
        apparmor: { profileType: ProfileType.Localhost, localhostRef: name },
        apparmorProfile: `localhost/${name}`,
      };
    }
    default:
      throw new ConfigError(`unknown apparmor profile type: ${JSON.stringify(profile?.type)}`);
  }
}

/** Upstream's `security_context_others.go`, `verifyRunAsNonRoot`. @throws ConfigError */
function refuseRoot(
  { pod, container, image }: SecuredContainer,
  { runAsNonRoot, runAsUser }: DeepReadonly<SecurityContext>,
): void {
  if (runAsNonRoot !== true) return;
  const where = `(pod: ${JSON.stringify(describePod(pod))}, container: ${(container as Container).name})`;
  if (runAsUser !== undefined) {
    if (runAsUser === 0) throw new ConfigError(`container's runAsUser breaks non-root policy ${where}`);
    return;
  }
  const { uid, name } = image.user;
  if (uid === undefined && name)
    throw new ConfigError(
      `container has runAsNonRoot and image has non-numeric user (${name}), cannot verify user is non-root ${where}`,
    );
  if ((uid ?? 0) === 0) throw new ConfigError(`container has runAsNonRoot and image will run as root ${where}`);
}
