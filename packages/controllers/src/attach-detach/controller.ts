import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import { type AttachWork, volumeQueue } from "./attach-work.js";
import { createAttachMemory } from "./memory.js";
import { collectAttachMetrics } from "./metrics.js";
import { reconcileNode } from "./reconcile-node.js";
import { reconcileVolume } from "./reconcile-volume.js";
import { watchVolumes } from "./watch-volumes.js";
import { createAttachWorld } from "./world.js";
import { createAttachWrites } from "./writes.js";

/** As upstream's ReconcilerMaxWaitForUnmountDuration (pkg/controller/volume/attachdetach/attach_detach_controller.go). */
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
    const { clock, metrics } = context.runtime;
    const world = createAttachWorld(context.informers);
    collectAttachMetrics(metrics, world);
    const work: AttachWork = {
      clock,
      world,
      memory: createAttachMemory(),
      writes: createAttachWrites(client),
      recorder: context.recorder("attachdetach-controller"),
      limits: {
        maxWaitMs: maxWaitForUnmountMs,
        isForceDisabled: settings.isForceDetachOnTimeoutDisabled ?? false,
      },
      forced: metrics.counter({
        name: "attach_detach_controller_attachdetach_controller_forced_detaches",
        help: "Volumes that were taken from nodes that may use them, by reason",
        stability: "ALPHA",
        labels: ["reason"],
      }),
      wakeNode: (name) => nodeLoop.queue.add(name),
    };
    const volumeLoop = createReconcileLoop(context, {
      name: volumeQueue,
      workers: 10,
      reconcile: (name) => reconcileVolume(work, name),
    });
    const nodeLoop = createReconcileLoop(context, {
      name: "nodes_to_report",
      workers: 10,
      reconcile: (name) => reconcileNode(work, name),
    });
    watchVolumes(volumeLoop, work);
    return runTogether(volumeLoop, nodeLoop);
  },
};
