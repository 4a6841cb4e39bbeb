import { smallest } from "@coxswain/apimachinery/append";
import type { WorkResult } from "@coxswain/client/queue";
import { namedCause } from "../controller/named-cause.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import { type AttachWork, plansOf, podKind, report, volumeQueue } from "./attach-work.js";
import { type Attachable, attachmentName } from "./attachable.js";
import type { NodePlan } from "./plan.js";
import { isManaged, isOutOfService, isReportedBy } from "./world.js";

/** Asks for attachments of a volume, and takes them back. */
export async function reconcileVolume(work: AttachWork, name: string): Promise<WorkResult> {
  const { clock, world, memory } = work;
  const volume = world.attachable(name);
  if (!volume) return memory.forget(name);
  const waits: number[] = [];
  const plans = plansOf(work, volume);
  for (const [node, plan] of plans) {
    const wait = await carryOut(work, volume, node, plan);
    if (wait !== undefined) waits.push(wait);
  }
  memory.forgetBlocked(name, (node) => plans.get(node)?.kind === "blocked");
  if (waits.length > 0) return { requeueAfterMs: Math.max(0, smallest(waits) - clock.now()) };
}

/** Answers when to look again, in milliseconds of the clock. */
async function carryOut(
  work: AttachWork,
  volume: Attachable,
  nodeName: string,
  plan: NodePlan,
): Promise<number | undefined> {
  const { memory } = work;
  const node = work.world.informers.nodes.indexer.getByKey(nodeName);
  switch (plan.kind) {
    case "keep":
      if (node && isManaged(node) && !isReportedBy(node, volume.name)) work.wakeNode(nodeName);
      return plan.recheckAtMs;
    case "attach":
      if (!volume.csi) work.wakeNode(nodeName);
      else await attach(work, volume, volume.csi, nodeName);
      return undefined;
    case "attaching":
      if (memory.isTimeoutNew(volume.name, nodeName, plan.timeoutAtMs) && volume.csi)
        reportFailure(
          work,
          volume,
          nodeName,
          `timed out waiting for external-attacher of ${volume.csi.driver} CSI driver to attach volume ${volume.csi.handle}`,
        );
      return plan.timeoutAtMs;
    case "failed":
      if (memory.isFailureNew(volume.name, nodeName, attachmentVersion(work, volume, nodeName)))
        reportFailure(work, volume, nodeName, plan.message);
      return undefined;
    case "blocked":
      if (plan.messages.length > 0 && memory.isBlockNew(volume.name, nodeName)) reportBlock(work, plan.messages);
      return undefined;
    case "detach":
      // The node's status is first: its change brings the volume back here.
      if (node && isReportedBy(node, volume.name)) work.wakeNode(nodeName);
      else if (volume.csi) await detach(work, volume, volume.csi, { nodeName, isVerified: plan.isVerified });
      return undefined;
    case "detaching":
      if (node && isReportedBy(node, volume.name)) work.wakeNode(nodeName);
      return undefined;
  }
}

function attachmentVersion({ world }: AttachWork, { csi }: Attachable, node: string): string {
  const held = csi && world.informers.attachments.indexer.getByKey(attachmentName(csi.driver, csi.handle, node));
  return `${held?.metadata?.uid}/${held?.status?.attachError?.time}/${held?.status?.attachError?.message}`;
}

async function attach(
  work: AttachWork,
  volume: Attachable,
  csi: NonNullable<Attachable["csi"]>,
  nodeName: string,
): Promise<void> {
  try {
    await work.writes.attach(csi, nodeName, namedCause(volumeQueue, volume.name));
  } catch (error) {
    reportFailure(work, volume, nodeName, `attacher.Attach failed: ${messageOf(error)}`);
    throw error;
  }
}

async function detach(
  { writes, world, forced }: AttachWork,
  volume: Attachable,
  csi: NonNullable<Attachable["csi"]>,
  { nodeName, isVerified }: { nodeName: string; isVerified: boolean },
): Promise<void> {
  if (isVerified && (await writes.isInUseNow(volume.name, nodeName)))
    throw new Error(
      `DetachVolume failed for volume ${JSON.stringify(volume.title)}: volume is still in use by node, according to Node status`,
    );
  if (!isVerified)
    forced.with(isOutOfService(world.informers.nodes.indexer.getByKey(nodeName)) ? "out-of-service" : "timeout").add(1);
  await writes.detach(csi, nodeName, namedCause(volumeQueue, volume.name));
}

const reportFailure = (work: AttachWork, volume: Attachable, node: string, problem: string): void =>
  report(
    work,
    {
      type: "Warning",
      reason: "FailedAttachVolume",
      message: `AttachVolume.Attach failed for volume ${JSON.stringify(volume.title)} : ${problem}`,
    },
    volume,
    node,
  );

function reportBlock(
  { world, recorder }: AttachWork,
  messages: Extract<NodePlan, { kind: "blocked" }>["messages"],
): void {
  for (const { message, ...pod } of messages) {
    const held = world.informers.pods.indexer.getByKey(`${pod.namespace}/${pod.name}`);
    if (held) recorder.event(referenceOf(held, podKind), { type: "Warning", reason: "FailedAttachVolume", message });
  }
}
