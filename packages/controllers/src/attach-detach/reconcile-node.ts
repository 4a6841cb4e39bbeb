import { type AttachWork, plansOf, report } from "./attach-work.js";
import { isReported } from "./plan.js";
import { isManaged } from "./world.js";

/** Names in the status of a node what is attached to it. */
export async function reconcileNode(work: AttachWork, nodeName: string): Promise<void> {
  const { world, writes } = work;
  const node = world.informers.nodes.indexer.getByKey(nodeName);
  if (!node || !isManaged(node)) return;
  const wanted: string[] = [];
  for (const name of world.namesOn(nodeName)) {
    const volume = world.attachable(name);
    const plan = volume && plansOf(work, volume).get(nodeName);
    if (isReported(plan) || (plan?.kind === "attach" && !volume?.csi)) wanted.push(name);
  }
  for (const name of await writes.report(node, wanted)) {
    const volume = world.attachable(name);
    if (!volume) continue;
    const message = `AttachVolume.Attach succeeded for volume ${JSON.stringify(volume.title)} `;
    report(work, { type: "Normal", reason: "SuccessfulAttachVolume", message }, volume, nodeName);
  }
}
