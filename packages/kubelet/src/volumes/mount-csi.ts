import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ownEntries } from "@coxswain/apimachinery/own";
import { formatTime } from "@coxswain/apimachinery/time";
import { type CsiDriver, CsiError } from "../csi/csi-driver.js";
import {
  accessModesOf,
  appliesGroup,
  modeProblem,
  needsAttachment,
  podInfo,
  volumeCapability,
} from "../csi/plan-volume.js";
import {
  attachmentName,
  inlineHandle,
  readVolumeData,
  stagingDirectory,
  type VolumeData,
  writeVolumeData,
} from "../csi/volume-data.js";
import { NodeServiceCapabilityRPCType as Capability, node as nodeService } from "../gen/csi.js";
import { volumeDirectory } from "../machine/pod-directories.js";
import { uidOf } from "../objects/cached-pod.js";
import { type CsiSource, type CsiVolume, removeMountDirectory, secretsOf } from "./csi-volume.js";
import { expandVolume } from "./expand-csi.js";
import { setGroupOwnership } from "./ownership.js";
import { fsGroupOf, fsGroupPolicyOf } from "./pod-security.js";
import {
  type MountedVolume,
  type VolumeContext,
  type VolumeRequest,
  VolumeStepError,
  VolumeWaitError,
} from "./volume-plugin.js";

const setUpStep = "MountVolume.SetUp failed";
const deviceStep = "MountVolume.MountDevice failed";

/** Stages, publishes and expands; what is done is left alone. Upstream's `pkg/volume/csi`. @throws VolumeWaitError, VolumeStepError */
export async function mountCsi(
  given: CsiSource,
  request: VolumeRequest,
  context: VolumeContext,
): Promise<MountedVolume> {
  const volume = await describe(given, request, context);
  const { csi } = context;
  const podUid = uidOf(request.pod);
  const isDone = context.done.get(volume.directory) === "ready";
  if (!isDone && given.kind === "persistent" && needsAttachment(volume.object) && !csi.isAttached(volume.data, podUid))
    throw new VolumeWaitError();
  const step = given.kind === "persistent" ? deviceStep : setUpStep;
  const words =
    given.kind === "persistent"
      ? "attacher.MountDevice failed to create newCsiDriverClient"
      : "mounter.SetUpAt failed to get CSI client";
  const driver = findDriver(context, volume.data.driverName, { step, words });
  csi.follow(podUid);
  context.podVolumes.set(volume.directory, { name: request.volume, claim: request.claim?.metadata?.name });
  await csi.alone(volume.data, async () => {
    if (!isDone || volume.object?.spec.requiresRepublish) await stageAndPublish(volume, driver, context, isDone);
    context.done.set(volume.directory, "ready");
    await expandVolume(volume, driver, context);
  });
  return { kind: "host", path: volume.target, readOnly: volume.isReadOnly };
}

async function describe(given: CsiSource, request: VolumeRequest, context: VolumeContext): Promise<CsiVolume> {
  const { pod, name, volume, isReadOnly } = request;
  const driverName = given.source.driver;
  const object = await context.csi.driverObject(driverName);
  const volumeHandle = given.kind === "persistent" ? given.source.volumeHandle : inlineHandle(uidOf(pod), volume);
  const volumeLifecycleMode = given.kind === "persistent" ? "Persistent" : "Ephemeral";
  const problem = modeProblem(driverName, object, volumeLifecycleMode);
  if (problem !== undefined)
    throw new VolumeStepError(
      setUpStep,
      `kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: ${problem}`,
    );
  const { nodeName } = context.csi;
  const directory = volumeDirectory(context.rootDir, { podUid: uidOf(pod), plugin: "csi", name });
  const data: VolumeData = {
    specVolID: name,
    volumeHandle,
    driverName,
    nodeName,
    volumeLifecycleMode,
    attachmentID: attachmentName(volumeHandle, driverName, nodeName),
  };
  const isSourceReadOnly = given.source.readOnly ?? false;
  return {
    given,
    data,
    directory,
    target: join(directory, "mount"),
    isReadOnly: isReadOnly || isSourceReadOnly,
    request,
    object,
  };
}

function findDriver(
  { csi }: VolumeContext,
  name: string,
  { step, words }: { readonly step: string; readonly words: string },
): CsiDriver {
  try {
    return csi.drivers.get(name);
  } catch (error) {
    throw new VolumeStepError(step, `kubernetes.io/csi: ${words}: ${(error as Error).message}`);
  }
}

async function stageAndPublish(
  volume: CsiVolume,
  driver: CsiDriver,
  context: VolumeContext,
  isPublished: boolean,
): Promise<void> {
  const capabilities = await driver.capabilities();
  const publishContext = await publishContextOf(volume, context);
  const staging =
    volume.given.kind === "persistent" && capabilities.has(Capability.STAGE_UNSTAGE_VOLUME)
      ? join(stagingDirectory(context.rootDir, volume.data), "globalmount")
      : "";
  if (staging !== "" && !isPublished)
    await stage(volume, driver, context, { staging, publishContext, capabilities }).catch(at(deviceStep));
  await publish(volume, driver, context, { staging, publishContext, capabilities, isPublished });
}

const at =
  (step: string) =>
  (error: unknown): never => {
    throw new VolumeStepError(step, (error as Error).message);
  };

async function publishContextOf(
  { given, object, data }: CsiVolume,
  { csi }: VolumeContext,
): Promise<Map<string, string>> {
  if (given.kind === "inline" || !needsAttachment(object)) return new Map();
  const { status } = await csi.attachment(data.attachmentID ?? "").catch(at(deviceStep));
  return new Map(ownEntries(status?.attachmentMetadata ?? {}));
}

interface Facts {
  readonly staging: string;
  readonly publishContext: ReadonlyMap<string, string>;
  readonly capabilities: ReadonlySet<number>;
}

const capabilityOf = ({ given, request }: CsiVolume, capabilities: ReadonlySet<number>) =>
  volumeCapability(
    {
      fsType: given.source.fsType ?? "",
      mountOptions: request.mountOptions,
      accessMode: request.persistentVolume ? accessModesOf(request.persistentVolume)[0] : undefined,
      fsGroup: fsGroupOf(request.pod),
    },
    capabilities,
  );

/** Once for all pods of the node; asked for again by each, since drivers answer the same twice. */
async function stage(
  volume: CsiVolume,
  driver: CsiDriver,
  { csi, rootDir, mounter }: VolumeContext,
  { staging, publishContext, capabilities }: Facts,
): Promise<void> {
  const { source } = volume.given as Extract<CsiSource, { kind: "persistent" }>;
  const secrets = await secretsOf(csi, source.nodeStageSecretRef, "NodeStageSecretRef");
  const parent = stagingDirectory(rootDir, volume.data);
  const isNew = (await readVolumeData(parent)) === undefined;
  await mkdir(staging, { recursive: true, mode: 0o750 });
  const { driverName, volumeHandle } = volume.data;
  // Before the call: a kubelet that is killed in it finds what is to be undone.
  await writeVolumeData(parent, { driverName, volumeHandle });
  try {
    await driver.call(nodeService.nodeStageVolume, {
      volumeId: volumeHandle,
      publishContext,
      stagingTargetPath: staging,
      volumeCapability: capabilityOf(volume, capabilities),
      secrets,
      volumeContext: new Map(ownEntries(source.volumeAttributes ?? {})),
    });
  } catch (error) {
    if (isNew && error instanceof CsiError && error.isFinal) await removeMountDirectory(mounter, staging);
    throw error;
  }
}

async function publish(
  volume: CsiVolume,
  driver: CsiDriver,
  context: VolumeContext,
  { staging, publishContext, capabilities, isPublished }: Facts & { readonly isPublished: boolean },
): Promise<void> {
  const { given, data, directory, target, request, object, isReadOnly } = volume;
  const { pod } = request;
  const { volumeContext, secrets } = await publishInputs(volume, context);
  const isKnown = isPublished || (await readVolumeData(directory)) !== undefined;
  await writeVolumeData(directory, data);
  try {
    await driver.call(nodeService.nodePublishVolume, {
      volumeId: data.volumeHandle,
      publishContext,
      stagingTargetPath: staging,
      targetPath: target,
      volumeCapability: capabilityOf(volume, capabilities),
      readonly: isReadOnly,
      secrets,
      volumeContext,
    });
  } catch (error) {
    // One that was published before is in use: pods must not lose it.
    if (!isKnown && error instanceof CsiError && error.isFinal) await removeMountDirectory(context.mounter, target);
    throw error;
  }
  const fsGroup = fsGroupOf(pod);
  const accessModes = request.persistentVolume && accessModesOf(request.persistentVolume);
  const facts = { fsType: given.source.fsType ?? "", isReadOnly, isInline: given.kind === "inline", accessModes };
  if (fsGroup === undefined || capabilities.has(Capability.VOLUME_MOUNT_GROUP) || !appliesGroup(object, facts)) return;
  const ownership = { fsGroup, policy: fsGroupPolicyOf(pod), isReadOnly: false };
  await setGroupOwnership(target, ownership, context.runtime.scheduler).catch((error: Error) => {
    throw new Error(`applyFSGroup failed for vol ${data.volumeHandle}: ${error.message}`);
  });
}

/** Attributes and secrets: the volume's own, what the driver wants to know of the pod, and tokens of its service account. */
async function publishInputs(
  { given, request, object }: CsiVolume,
  { csi, contents }: VolumeContext,
): Promise<{ readonly volumeContext: Map<string, string>; readonly secrets: Map<string, string> }> {
  const { pod } = request;
  const ref = given.source.nodePublishSecretRef;
  const namespace = given.kind === "inline" ? pod.metadata?.namespace : given.source.nodePublishSecretRef?.namespace;
  const secrets = await secretsOf(
    csi,
    ref && { name: ref.name ?? "", namespace: namespace ?? "" },
    "NodePublishSecretRef",
  );
  const volumeContext = new Map(ownEntries(given.source.volumeAttributes ?? {}));
  if (object?.spec.podInfoOnMount)
    for (const [key, value] of podInfo(pod, given.kind === "inline")) volumeContext.set(key, value);
  const requests = object?.spec.tokenRequests ?? [];
  if (requests.length > 0) {
    const tokens: [string, object][] = [];
    for (const { audience, expirationSeconds } of requests) {
      const spec = { ...(audience && { audience }), ...(expirationSeconds && { expirationSeconds }) };
      const { token, expiresAt } = await contents.expiringToken(pod, spec);
      tokens.push([audience, { token, expirationTimestamp: formatTime(expiresAt) }]);
    }
    const place = object?.spec.serviceAccountTokenInSecrets ? secrets : volumeContext;
    place.set("csi.storage.k8s.io/serviceAccount.tokens", JSON.stringify(Object.fromEntries(tokens)));
  }
  return { volumeContext, secrets };
}
