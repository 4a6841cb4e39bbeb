import type { Decoded } from "@coxswain/wire/protobuf";
import { ContainerState, type ContainerStatus } from "../gen/cri.js";
import type { LogLine, LogOptions } from "../runtime/container-runtime.js";
import { readMessageFile } from "./container-files.js";
import { readAnnotations } from "./labels.js";

export type ReadLog = (path: string, options: LogOptions, signal: AbortSignal) => AsyncIterable<LogLine>;

/** Of a log, where it stands for the message. Upstream's `kubecontainer.MaxContainerTerminationMessageLog…`. */
const [tailLines, tailBytes] = [80, 2048];

/** What a container left when it ended: its file, or the end of its log where it failed and asks for that. */
export async function terminationMessage(status: Decoded<typeof ContainerStatus>, readLog: ReadLog): Promise<string> {
  if (status.state !== ContainerState.CONTAINER_EXITED) return "";
  const { terminationMessagePath: path, terminationMessagePolicy } = readAnnotations(status.annotations);
  const hostPath = status.mounts.find(({ containerPath }) => path !== "" && containerPath === path)?.hostPath;
  const written = hostPath === undefined ? "" : await readMessageFile(hostPath);
  const fallsBack =
    terminationMessagePolicy === "FallbackToLogsOnError" &&
    status.exitCode !== 0 &&
    status.reason !== "ContainerCannotRun";
  return written === "" && fallsBack && status.logPath !== "" ? endOfLog(status.logPath, readLog) : written;
}

async function endOfLog(path: string, readLog: ReadLog): Promise<string> {
  try {
    let end = Buffer.alloc(0);
    for await (const { content, isPartial } of readLog(path, { follow: false, tail: tailLines }, never))
      end = Buffer.concat([end, content, Buffer.from(isPartial ? "" : "\n")]).subarray(-tailBytes);
    return end.toString("utf8");
  } catch (error) {
    return `Error on reading termination message from logs: ${(error as Error).message}`;
  }
}

const never = new AbortController().signal;
