import type {
  Container,
  HTTPGetAction,
  PersistentVolumeClaimSpec,
  PodSpec,
  Probe,
  Volume,
} from "@coxswain/api/core/v1";
import { roundUpResources } from "../defaults/resource-list.js";
import type { TypeDefaults } from "../defaults/type-defaults.js";
import { imageTag } from "./image-name.js";
import { dropInitContainerAnnotations } from "./init-container-annotations.js";

/** 0644 */
const fileMode = 420;
const hour = 3600;

const setFileMode = (source: { defaultMode?: number }): void => void (source.defaultMode ??= fileMode);

const pullPolicy = (image: string): "Always" | "IfNotPresent" =>
  imageTag(image) === "latest" ? "Always" : "IfNotPresent";

function setContainerDefaults(container: Container): void {
  container.imagePullPolicy ||= pullPolicy(container.image ?? "");
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
}

function setProbeDefaults(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
}

function setHttpGetDefaults(action: HTTPGetAction): void {
  action.path ||= "/";
  action.scheme ||= "HTTP";
}

function setPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  // The older name of the account is always written beside the newer.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) spec.serviceAccountName = spec.serviceAccount = account;
}

/** A volume of no kind is an empty directory. */
function setVolumeDefaults(volume: Volume): void {
  if (Object.keys(volume).every((member) => member === "name" || volume[member as keyof Volume] === undefined))
    volume.emptyDir = {};
  if (volume.image) volume.image.pullPolicy ||= pullPolicy(volume.image.reference ?? "");
}

export const setClaimSpecDefaults = (spec: PersistentVolumeClaimSpec): void => void (spec.volumeMode ??= "Filesystem");

/** The defaults of all that a pod's spec is made of; pods and every template of them share these. */
export const podSpecDefaults: TypeDefaults = {
  "io.k8s.api.core.v1.PodSpec": setPodSpecDefaults,
  "io.k8s.api.core.v1.PodTemplateSpec": ({ metadata }: { metadata?: { annotations?: Record<string, string> } }) =>
    dropInitContainerAnnotations(metadata),
  "io.k8s.api.core.v1.Container": setContainerDefaults,
  "io.k8s.api.core.v1.EphemeralContainer": setContainerDefaults,
  "io.k8s.api.core.v1.Probe": setProbeDefaults,
  "io.k8s.api.core.v1.HTTPGetAction": setHttpGetDefaults,
  "io.k8s.api.core.v1.Volume": setVolumeDefaults,
  "io.k8s.api.core.v1.SecretVolumeSource": setFileMode,
  "io.k8s.api.core.v1.ConfigMapVolumeSource": setFileMode,
  "io.k8s.api.core.v1.DownwardAPIVolumeSource": setFileMode,
  "io.k8s.api.core.v1.ProjectedVolumeSource": setFileMode,
  "io.k8s.api.core.v1.HostPathVolumeSource": (source: { type?: string }) => void (source.type ??= ""),
  "io.k8s.api.core.v1.ServiceAccountTokenProjection": (source: { expirationSeconds?: number }) =>
    void (source.expirationSeconds ??= hour),
  "io.k8s.api.core.v1.ObjectFieldSelector": (selector: { apiVersion?: string }) => void (selector.apiVersion ||= "v1"),
  "io.k8s.api.core.v1.PersistentVolumeClaimSpec": setClaimSpecDefaults,
  "io.k8s.api.core.v1.ResourceList": roundUpResources,
};
