import type { Clock } from "@coxswain/runtime/clock";
import { readLog } from "./read-log.js";

const never = new AbortController().signal;

/**
 * The end of what a container wrote, for its termination message (pkg/kubelet/kuberuntime/kuberuntime_manager.go and
 * pkg/kubelet/kuberuntime/kuberuntime_container.go, readLastStringFromContainerLogs). Empty where there is no log.
 */
export async function readLastOutput(
  path: string,
  { lines, bytes, ioClock }: { readonly lines: number; readonly bytes: number; readonly ioClock: Clock },
): Promise<string> {
  let kept = Buffer.alloc(0);
  try {
    const options = { follow: false, tail: lines };
    for await (const { content, isPartial } of readLog({ path, options, ioClock, exited: never, signal: never }))
      kept = Buffer.concat([kept, content, Buffer.from(isPartial ? "" : "\n")]).subarray(-bytes);
  } catch (error) {
    return `Error on reading termination message from logs: ${(error as Error).message}`;
  }
  return kept.toString("utf8");
}
