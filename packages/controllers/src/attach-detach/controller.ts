import { smallest } from "@coxswain/apimachinery/append";
import { equalJson } from "@coxswain/apimachinery/json";
import type { RecordedEvent } from "@coxswain/client/events";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { nodeIndex } from "../nodes/pods-by-node.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import { type CachedPod, hasPodStopped } from "../pods/pod-state.js";
import { type Attachable, attachableOfVolume, attachmentName } from "./attachable.js";
import { createAttachMemory } from "./memory.js";
import { collectAttachMetrics } from "./metrics.js";
import { isReported, type NodePlan, planVolume } from "./plan.js";
import {
  type CachedAttachment,
  type CachedNode,
  createAttachWorld,
  isManaged,
  isReportedBy,
  isOutOfService,
} from "./world.js";
import { createAttachWrites } from "./writes.js";

const podKind = { group: "", version: "v1", kind: "Pod" };
/** As upstream's ReconcilerMaxWaitForUnmountDuration. */
const maxWaitForUnmountMs = 360_000;

/**
 * Attaches volumes to the nodes of pods that need them, and detaches them afterwards.
 *
 * Two queues: volumes, where attachments are asked for and taken back, and nodes, whose status names what is attached. A
 * volume leaves that status before it is detached: kubelets mount only what stands there.
 */
export const attachDetachController: Controller = {
  name: "persistentvolume-attach-detach-controller",
  aliases: ["attachdetach"],
  serviceAccount: "attachdetach-controller",
  start(context) {
    const { client, settings } = context;
    const { clock } = context.runtime;
    const writes = createAttachWrites(client);
    const world = createAttachWorld(context.informers);
    const { pods, nodes, claims, volumes, attachments, drivers } = world.informers;
    const recorder = context.recorder("attachdetach-controller");
    const memory = createAttachMemory();
    const forced = context.runtime.metrics.counter({
      name: "attach_detach_controller_attachdetach_controller_forced_detaches",
      help: "Volumes that were taken from nodes that may use them, by reason",
      stability: "ALPHA",
      labels: ["reason"],
    });
    collectAttachMetrics(context.runtime.metrics, world);
    const limits = {
      maxWaitMs: maxWaitForUnmountMs,
      isForceDisabled: settings.isForceDetachOnTimeoutDisabled ?? false,
    };

    function plansOf(volume: Attachable): Map<string, NodePlan> {
      const nowMs = clock.now();
      const facts = world.facts(volume, memory);
      memory.keepDetachRequests(
        volume.name,
        facts.filter((each) => each.attachment && each.pods.length === 0).map(({ node }) => node),
        nowMs,
      );
      return planVolume(volume, world.facts(volume, memory), { ...limits, nowMs });
    }
    const report = (volume: Attachable, node: string, event: RecordedEvent): void => {
      for (const pod of world.podsNeeding(volume, node)) recorder.event(referenceOf(pod, podKind), event);
    };
    const reportFailure = (volume: Attachable, node: string, problem: string): void =>
      report(volume, node, {
        type: "Warning",
        reason: "FailedAttachVolume",
        message: `AttachVolume.Attach failed for volume ${JSON.stringify(volume.title)} : ${problem}`,
      });

    const volumeLoop = createReconcileLoop(context, {
      name: "volumes_to_attach",
      workers: 10,
      async reconcile(name): Promise<WorkResult> {
        const volume = world.attachable(name);
        if (!volume) return memory.forget(name);
        const waits: number[] = [];
        const plans = plansOf(volume);
        for (const [node, plan] of plans) {
          const wait = await carryOut(volume, node, plan);
          if (wait !== undefined) waits.push(wait);
        }
        memory.forgetBlocked(name, (node) => plans.get(node)?.kind === "blocked");
        if (waits.length > 0) return { requeueAfterMs: Math.max(0, smallest(waits) - clock.now()) };
      },
    });

    /** Answers when to look again, in milliseconds of the clock. */
    async function carryOut(volume: Attachable, nodeName: string, plan: NodePlan): Promise<number | undefined> {
      const node = nodes.indexer.getByKey(nodeName);
      switch (plan.kind) {
        case "keep":
          if (node && isManaged(node) && !isReportedBy(node, volume.name)) nodeLoop.queue.add(nodeName);
          return plan.recheckAtMs;
        case "attach":
          if (!volume.csi) nodeLoop.queue.add(nodeName);
          else await attach(volume, volume.csi, nodeName);
          return undefined;
        case "attaching":
          if (memory.isTimeoutNew(volume.name, nodeName, plan.timeoutAtMs) && volume.csi)
            reportFailure(
              volume,
              nodeName,
              `timed out waiting for external-attacher of ${volume.csi.driver} CSI driver to attach volume ${volume.csi.handle}`,
            );
          return plan.timeoutAtMs;
        case "failed":
          if (memory.isFailureNew(volume.name, nodeName, attachmentVersion(volume, nodeName)))
            reportFailure(volume, nodeName, plan.message);
          return undefined;
        case "blocked":
          if (plan.messages.length > 0 && memory.isBlockNew(volume.name, nodeName))
            for (const { message, ...pod } of plan.messages) {
              const held = pods.indexer.getByKey(`${pod.namespace}/${pod.name}`);
              if (held)
                recorder.event(referenceOf(held, podKind), { type: "Warning", reason: "FailedAttachVolume", message });
            }
          return undefined;
        case "detach":
          // The node's status is first: its change brings the volume back here.
          if (node && isReportedBy(node, volume.name)) nodeLoop.queue.add(nodeName);
          else if (volume.csi) await detach(volume, volume.csi, { nodeName, isVerified: plan.isVerified });
          return undefined;
        case "detaching":
          if (node && isReportedBy(node, volume.name)) nodeLoop.queue.add(nodeName);
          return undefined;
      }
    }

    const attachmentVersion = ({ csi }: Attachable, node: string): string => {
      const held = csi && attachments.indexer.getByKey(attachmentName(csi.driver, csi.handle, node));
      return `${held?.metadata?.uid}/${held?.status?.attachError?.time}/${held?.status?.attachError?.message}`;
    };

    async function attach(volume: Attachable, csi: NonNullable<Attachable["csi"]>, nodeName: string): Promise<void> {
      try {
        await writes.attach(csi, nodeName);
      } catch (error) {
        reportFailure(volume, nodeName, `attacher.Attach failed: ${messageOf(error)}`);
        throw error;
      }
    }

    async function detach(
      volume: Attachable,
      csi: NonNullable<Attachable["csi"]>,
      { nodeName, isVerified }: { nodeName: string; isVerified: boolean },
    ): Promise<void> {
      if (isVerified && (await writes.isInUseNow(volume.name, nodeName)))
        throw new Error(
          `DetachVolume failed for volume ${JSON.stringify(volume.title)}: volume is still in use by node, according to Node status`,
        );
      if (!isVerified)
        forced.with(isOutOfService(nodes.indexer.getByKey(nodeName)) ? "out-of-service" : "timeout").add(1);
      await writes.detach(csi, nodeName);
    }

    const nodeLoop = createReconcileLoop(context, {
      name: "nodes_to_report",
      workers: 10,
      async reconcile(nodeName) {
        const node = nodes.indexer.getByKey(nodeName);
        if (!node || !isManaged(node)) return;
        const wanted: string[] = [];
        for (const name of world.namesOn(nodeName)) {
          const volume = world.attachable(name);
          const plan = volume && plansOf(volume).get(nodeName);
          if (isReported(plan) || (plan?.kind === "attach" && !volume?.csi)) wanted.push(name);
        }
        for (const name of await writes.report(node, wanted)) {
          const volume = world.attachable(name);
          if (!volume) continue;
          const message = `AttachVolume.Attach succeeded for volume ${JSON.stringify(volume.title)} `;
          report(volume, nodeName, { type: "Normal", reason: "SuccessfulAttachVolume", message });
        }
      },
    });

    const wake = (...found: readonly (Attachable | undefined)[]): void => {
      for (const each of found) if (each) volumeLoop.queue.add(each.name);
    };
    const wakePod = (pod: CachedPod): void => {
      if (pod.spec?.nodeName) wake(...world.attachablesOfPod(pod));
    };
    volumeLoop.handle(pods, {
      onAdd: wakePod,
      onUpdate(old, pod) {
        if (old.spec?.nodeName !== pod.spec?.nodeName || hasPodStopped(old) !== hasPodStopped(pod)) wakePod(pod);
      },
      onDelete: wakePod,
    });
    volumeLoop.handle(claims, {
      onAdd: (claim) => wake(world.attachableOfClaim(claim)),
      onUpdate: (_, claim) => wake(world.attachableOfClaim(claim)),
      // Its pods may be gone from the cache as well: the volume is found by name.
      onDelete({ spec }) {
        const volume = spec?.volumeName ? volumes.indexer.getByKey(spec.volumeName) : undefined;
        wake(volume && attachableOfVolume(volume));
      },
    });
    volumeLoop.handle(volumes, {
      onAdd: (volume) => wake(attachableOfVolume(volume)),
      onUpdate(old, volume) {
        if (!equalJson(old.spec, volume.spec)) wake(attachableOfVolume(volume));
      },
      onDelete: (volume) => wake(attachableOfVolume(volume)),
    });
    const wakeAttachment = ({ spec }: CachedAttachment): void => {
      const volume = volumes.indexer.getByKey(spec.source.persistentVolumeName ?? "");
      wake(volume && attachableOfVolume(volume));
    };
    volumeLoop.handle(attachments, {
      onAdd: wakeAttachment,
      onUpdate: (_, attachment) => wakeAttachment(attachment),
      onDelete(attachment) {
        wakeAttachment(attachment);
        nodeLoop.queue.add(attachment.spec.nodeName);
      },
    });
    volumeLoop.handle(drivers, {
      onAdd: ({ metadata }) => wake(...world.attachablesOfDriver(metadata?.name ?? "")),
      onUpdate: (_, { metadata }) => wake(...world.attachablesOfDriver(metadata?.name ?? "")),
      onDelete: ({ metadata }) => wake(...world.attachablesOfDriver(metadata?.name ?? "")),
    });
    const wakeNode = (node: CachedNode): void => {
      const name = node.metadata?.name ?? "";
      for (const volume of world.namesOn(name)) volumeLoop.queue.add(volume);
      for (const pod of pods.indexer.byIndex(nodeIndex, name)) wakePod(pod);
    };
    volumeLoop.handle(nodes, {
      onAdd(node) {
        memory.nodeCame(node.metadata?.name ?? "");
        wakeNode(node);
        nodeLoop.queue.add(node.metadata?.name ?? "");
      },
      onUpdate(old, node) {
        if (concernsVolumes(old, node)) wakeNode(node);
      },
      onDelete(node) {
        memory.nodeWent(node.metadata?.name ?? "", node.status?.volumesInUse ?? []);
        wakeNode(node);
      },
    });
    return {
      run() {
        volumeLoop.run();
        nodeLoop.run();
      },
      async stop() {
        await Promise.all([volumeLoop.stop(), nodeLoop.stop()]);
      },
    };
  },
};

/** Nodes report often; most of it has nothing to do with volumes. */
const concernsVolumes = (old: CachedNode, node: CachedNode): boolean =>
  !equalJson(old.status?.volumesAttached, node.status?.volumesAttached) ||
  !equalJson(old.status?.volumesInUse, node.status?.volumesInUse) ||
  !equalJson(old.spec?.taints, node.spec?.taints) ||
  isManaged(old) !== isManaged(node) ||
  readyOf(old) !== readyOf(node);

const readyOf = ({ status }: CachedNode): string | undefined =>
  status?.conditions?.find(({ type }) => type === "Ready")?.status;
