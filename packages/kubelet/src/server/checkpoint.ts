import type { ServerResponse } from "node:http";
import type { Clock } from "@coxswain/runtime/clock";
import { findContainer, nameOf, namespaceOf } from "../objects/cached-pod.js";
import { type FoundPod, findRunningRun } from "./find-run.js";
import { KubeletRefusal } from "./kubelet-source.js";

interface CheckpointRequest {
  readonly container: string;
  readonly query: URLSearchParams;
  readonly clock: Clock;
}

/** `POST /checkpoint/<namespace>/<pod>/<container>` (pkg/kubelet/server/server.go, `checkpoint`). @throws KubeletRefusal */
export async function serveCheckpoint(
  found: FoundPod,
  { container, query, clock }: CheckpointRequest,
  response: ServerResponse,
): Promise<void> {
  const pod = found.worker.pod();
  if (!findContainer(pod, container)) throw new KubeletRefusal(404, `container ${container} does not exist`);
  const timeoutSeconds = timeoutOf(query);
  const time = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const name = `checkpoint-${nameOf(pod)}_${namespaceOf(pod)}-${container}-${time}.tar`;
  try {
    if (timeoutSeconds < 0) throw new Error("CheckpointContainer requires the timeout value to be > 0");
    const id = findRunningRun(found, container, `container ${container} not found`);
    const file = await found.agent.context.containers.checkpointContainer(id, { name, timeoutSeconds });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ items: [file] }));
  } catch (error) {
    const where = `${namespaceOf(pod)}/${nameOf(pod)}/${container}`;
    throw new KubeletRefusal(500, `checkpointing of ${where} failed (${(error as Error).message})`);
  }
}

/** The last of several counts; 0: that of other requests. @throws KubeletRefusal 404, as upstream has it (pkg/kubelet/server/server.go, checkpoint) */
function timeoutOf(query: URLSearchParams): number {
  const text = query.getAll("timeout").at(-1);
  if (text === undefined) return 0;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new KubeletRefusal(404, "cannot parse value of timeout parameter");
  return Number(text);
}
