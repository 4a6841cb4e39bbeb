import type { ContainerRecord } from "../runtime/container-runtime.js";
import type { ProcessExit } from "./process.js";
import type { SimulatedContainer } from "./simulated-pod.js";

/** The record of a container that has exited. */
export function exitRecord(
  container: SimulatedContainer,
  { code, reason }: ProcessExit,
  finishedAt: number,
): ContainerRecord {
  const isOutOfMemory = code === 137 && container.shell?.isOutOfMemory === true;
  const message = terminationMessage(container, code);
  return {
    ...container.record,
    state: "exited",
    exitCode: code,
    reason: reason ?? (code === 0 ? "Completed" : isOutOfMemory ? "OOMKilled" : "Error"),
    finishedAt,
    ...(message && { message }),
  };
}

function terminationMessage({ config, log, shell }: SimulatedContainer, code: number): string | undefined {
  const written = shell?.files.read(config.terminationMessagePath);
  if (written && written.length > 0) return Buffer.from(written.subarray(0, 4096)).toString("utf8");
  const isFallback = config.terminationMessagePolicy === "FallbackToLogsOnError" && code !== 0;
  return isFallback ? log?.tail(80, 2048) : undefined;
}
