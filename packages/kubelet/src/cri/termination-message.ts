import type { Clock } from "@coxswain/runtime/clock";
import type { Decoded } from "@coxswain/wire/protobuf";
import { ContainerState, type ContainerStatus } from "../gen/cri.js";
import { readLastOutput } from "../logs/last-output.js";
import { readMessageFile } from "./container-files.js";
import { readAnnotations } from "./labels.js";

/** Of a log, where it stands for the message. Upstream's `kubecontainer.MaxContainerTerminationMessageLog…`. */
const logTail = { lines: 80, bytes: 2048 };

/** What a container left when it ended: its file, or the end of its log where it failed and asks for that. */
export async function terminationMessage(status: Decoded<typeof ContainerStatus>, ioClock: Clock): Promise<string> {
  if (status.state !== ContainerState.CONTAINER_EXITED) return "";
  const { terminationMessagePath: path, terminationMessagePolicy } = readAnnotations(status.annotations);
  const hostPath = status.mounts.find(({ containerPath }) => path !== "" && containerPath === path)?.hostPath;
  const written = hostPath === undefined ? "" : await readMessageFile(hostPath);
  const fallsBack =
    terminationMessagePolicy === "FallbackToLogsOnError" &&
    status.exitCode !== 0 &&
    status.reason !== "ContainerCannotRun";
  return written === "" && fallsBack && status.logPath !== ""
    ? readLastOutput(status.logPath, { ...logTail, ioClock })
    : written;
}
