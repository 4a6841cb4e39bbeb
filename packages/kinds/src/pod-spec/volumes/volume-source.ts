import type { DeepReadonly } from "@coxswain/api";
import type { ImageVolumeSource, PersistentVolumeClaimVolumeSource, Volume, VolumeSource } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, quoteGo, required } from "@coxswain/apimachinery/field";
import { nameIsDnsSubdomain, utf8Length } from "@coxswain/apimachinery/validation";
import { checkPresent } from "../../checks/field-errors.js";
import { checkPullPolicy } from "../containers/pull-policy.js";
import type { PodRules } from "../pod-rules.js";
import { checkClaimTemplate } from "./claim-template.js";
import { checkConfigMapVolume, checkDownwardApiVolume, checkSecretVolume } from "./configuration.js";
import { checkCsiVolume } from "./csi.js";
import * as disks from "./disks.js";
import { checkEmptyDir, checkGitRepo, checkHostPath } from "./host.js";
import { checkIscsi } from "./iscsi.js";
import { checkProjectedVolume } from "./projected.js";
import * as shares from "./shares.js";

export interface VolumeSurroundings {
  readonly rules: PodRules;
  /** The pod's name where it is known, which names the claims of ephemeral volumes. */
  readonly podName: string;
}

type Check<K extends keyof VolumeSource> = (
  source: DeepReadonly<NonNullable<VolumeSource[K]>>,
  path: FieldPath,
  around: VolumeSurroundings,
) => FieldError[];

interface SourceRule<K extends keyof VolumeSource = keyof VolumeSource> {
  readonly member: K;
  readonly check: Check<K>;
  /** Where upstream names the field otherwise than the API does: when there is a second source, or inside this one. */
  readonly clashName?: string;
  readonly innerName?: string;
}

const rule = <K extends keyof VolumeSource>(
  member: K,
  check: Check<K>,
  names: Pick<SourceRule, "clashName" | "innerName"> = {},
): SourceRule => ({ member, check, ...names }) as unknown as SourceRule;

/** In upstream's order: the first source that is set is validated, the others are too many. */
const sourceRules: readonly SourceRule[] = [
  rule("emptyDir", checkEmptyDir),
  rule("hostPath", checkHostPath),
  rule("gitRepo", checkGitRepo),
  rule("gcePersistentDisk", disks.checkGceDisk, { innerName: "persistentDisk" }),
  rule("awsElasticBlockStore", disks.checkAwsDisk),
  rule("secret", checkSecretVolume),
  rule("nfs", shares.checkNfs),
  rule("iscsi", checkIscsi),
  rule("glusterfs", shares.checkGlusterfs),
  rule("flocker", shares.checkFlocker),
  rule("persistentVolumeClaim", checkClaimReference),
  rule("rbd", shares.checkRbd),
  rule("cinder", disks.checkCinder),
  rule("cephfs", shares.checkCephFs, { clashName: "cephFS" }),
  rule("quobyte", shares.checkQuobyte),
  rule("downwardAPI", checkDownwardApiVolume, { clashName: "downwarAPI" }),
  rule("fc", disks.checkFibreChannel),
  rule("flexVolume", shares.checkFlexVolume),
  rule("configMap", checkConfigMapVolume),
  rule("azureFile", shares.checkAzureFile),
  rule("vsphereVolume", disks.checkVsphere),
  rule("photonPersistentDisk", disks.checkPhoton),
  rule("portworxVolume", disks.checkPortworx),
  rule("azureDisk", disks.checkAzureDisk),
  rule("storageos", disks.checkStorageOs),
  rule("projected", (source, path, { rules }) => checkProjectedVolume(source, path, rules)),
  rule("scaleIO", disks.checkScaleIo),
  rule("csi", checkCsiVolume),
  rule("ephemeral", ({ volumeClaimTemplate: template }, path) =>
    template
      ? checkClaimTemplate(template, path.child("volumeClaimTemplate"))
      : [required(path.child("volumeClaimTemplate"))],
  ),
  rule("image", checkImageVolume),
];

function checkClaimReference(
  { claimName }: DeepReadonly<PersistentVolumeClaimVolumeSource>,
  path: FieldPath,
): FieldError[] {
  return [...checkPresent(claimName, path, "claimName")];
}

/** A template may leave the image to the controller that makes the pods. */
function checkImageVolume(
  { reference, pullPolicy }: DeepReadonly<ImageVolumeSource>,
  path: FieldPath,
  { rules }: VolumeSurroundings,
): FieldError[] {
  return [
    ...(rules.isPod ? checkPresent(reference, path, "reference") : []),
    ...checkPullPolicy(pullPolicy, path.child("pullPolicy")),
  ];
}

export function checkVolumeSource(
  volume: DeepReadonly<Volume>,
  path: FieldPath,
  around: VolumeSurroundings,
): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const { member, check, clashName = member, innerName = member } of sourceRules) {
    const source = volume[member];
    if (source === undefined) continue;
    if (found) errors.push(forbidden(path.child(clashName), "may not specify more than 1 volume type"));
    else {
      append(errors, check(source as never, path.child(innerName), around));
      if (member === "ephemeral") append(errors, checkClaimName(volume.name, path, around));
    }
    if (member === "iscsi") append(errors, checkIscsiNames(volume, path));
    found = true;
  }
  if (!found) errors.push(required(path, "must specify a volume type"));
  return errors;
}

function checkIscsiNames({ name, iscsi }: DeepReadonly<Volume>, path: FieldPath): FieldError[] {
  if (iscsi?.initiatorName === undefined || utf8Length(`${name}:${iscsi.targetPortal}`) <= 64) return [];
  return [
    invalid(
      path.child("name"),
      name,
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.",
    ),
  ];
}

function checkClaimName(name: string, path: FieldPath, { podName }: VolumeSurroundings): FieldError[] {
  if (podName === "" || name === "") return [];
  const claim = `${podName}-${name}`;
  return nameIsDnsSubdomain(claim).map((problem) =>
    invalid(path.child("name"), name, `PVC name ${quoteGo(claim)}: ${problem}`),
  );
}
