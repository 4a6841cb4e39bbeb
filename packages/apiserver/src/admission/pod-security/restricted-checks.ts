import { procMount } from "./baseline-checks.js";
import {
  type Check,
  type CheckPod,
  containersOf,
  namesOf,
  onLinux,
  plural,
  quoted,
  setters,
  sorted,
  theContainers,
  unlessOwnUsers,
} from "./check.js";
import { seccompRestricted } from "./seccomp-checks.js";

const allowPrivilegeEscalation: CheckPod = (pod) => {
  const names = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  return names.length > 0
    ? {
        reason: "allowPrivilegeEscalation != false",
        detail: `${theContainers(names)} must set securityContext.allowPrivilegeEscalation=false`,
      }
    : undefined;
};

const capabilities: CheckPod = (pod) => {
  const keeping = namesOf(pod, ({ securityContext }) => !(securityContext?.capabilities?.drop ?? []).includes("ALL"));
  const added = containersOf(pod).map(({ name, securityContext }) => ({
    name,
    capabilities: (securityContext?.capabilities?.add ?? []).filter((each) => each !== "NET_BIND_SERVICE"),
  }));
  const adding = added.filter((each) => each.capabilities.length > 0);
  const details = [
    ...(keeping.length > 0 ? [`${theContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [
          `${theContainers(adding.map(({ name }) => name))} must not include ${quoted(sorted(adding.flatMap((each) => each.capabilities)))} in securityContext.capabilities.add`,
        ]
      : []),
  ];
  return details.length > 0 ? { reason: "unrestricted capabilities", detail: details.join("; ") } : undefined;
};

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const;
const otherVolumes = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const;

const restrictedVolumes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((type) => volume[type] !== undefined));
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map((volume) => otherVolumes.find((type) => volume[type] !== undefined) ?? "unknown"));
  const volumes = `${plural("volume", "volumes", bad.length)} ${quoted(bad.map(({ name }) => name))}`;
  return {
    reason: "restricted volume types",
    detail: `${volumes} ${plural("uses", "use", bad.length)} ${plural("restricted volume type", "restricted volume types", types.length)} ${quoted(types)}`,
  };
};

const runAsNonRoot: CheckPod = (pod) => {
  const own = pod.spec.securityContext?.runAsNonRoot;
  const reason = "runAsNonRoot != true";
  const who = setters(
    own === false,
    namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  if (who.length > 0) return { reason, detail: `${who.join(" and ")} must not set securityContext.runAsNonRoot=false` };
  const silent = own === true ? [] : namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  return silent.length > 0
    ? { reason, detail: `pod or ${theContainers(silent)} must set securityContext.runAsNonRoot=true` }
    : undefined;
};

const runAsUser: CheckPod = (pod) => {
  const who = setters(
    pod.spec.securityContext?.runAsUser === 0,
    namesOf(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
  );
  return who.length > 0
    ? { reason: "runAsUser=0", detail: `${who.join(" and ")} must not set runAsUser=0` }
    : undefined;
};

/** What is good practice beyond that. */
export const restrictedChecks: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    level: "restricted",
    versions: [
      { from: 8, check: allowPrivilegeEscalation },
      { from: 25, check: onLinux(allowPrivilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    level: "restricted",
    versions: [
      { from: 22, check: capabilities },
      { from: 25, check: onLinux(capabilities) },
    ],
    overrides: "capabilities_baseline",
  },
  {
    id: "procMount_restricted",
    level: "restricted",
    versions: [{ from: 35, check: procMount }],
    overrides: "procMount",
  },
  {
    id: "restrictedVolumes",
    level: "restricted",
    versions: [{ from: 0, check: restrictedVolumes }],
    overrides: "hostPathVolumes",
  },
  {
    id: "runAsNonRoot",
    level: "restricted",
    versions: [
      { from: 0, check: runAsNonRoot },
      { from: 35, check: unlessOwnUsers(runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    level: "restricted",
    versions: [
      { from: 23, check: runAsUser },
      { from: 35, check: unlessOwnUsers(runAsUser) },
    ],
  },
  seccompRestricted,
];
