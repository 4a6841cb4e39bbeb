import type { ServerResponse } from "node:http";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { LogLine } from "../runtime/container-runtime.js";
import { drained } from "./drained.js";
import { findLoggedRun, type FoundPod } from "./find-run.js";

export interface LogRequest {
  readonly container: string;
  readonly query: URLSearchParams;
}

/** Writes a container's log. @throws KubeletRefusal before the first byte */
export async function serveLogs(
  found: FoundPod,
  { container, query }: LogRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { containers, runtime } = found.agent.context;
  const id = findLoggedRun(found, container, isTrue(query.get("previous")));
  const tail = numberOf(query.get("tailLines") ?? query.get("tail"));
  const sinceMs = sinceOf(query, runtime.clock.now());
  const lines = containers.logs(
    id,
    {
      follow: isTrue(query.get("follow")),
      ...(tail !== undefined && { tail }),
      ...(sinceMs !== undefined && { sinceMs }),
    },
    signal,
  );
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "transfer-encoding": "chunked" });
  response.flushHeaders();
  const wanted = query.get("stream") ?? "All";
  let left = numberOf(query.get("limitBytes")) ?? Number.POSITIVE_INFINITY;
  const withTime = isTrue(query.get("timestamps"));
  let isContinued = false;
  for await (const line of lines) {
    if (wanted !== "All" && wanted.toLowerCase() !== line.stream) continue;
    const bytes = formatLine(line, withTime && !isContinued);
    isContinued = line.isPartial === true;
    response.write(bytes.subarray(0, left));
    left -= bytes.length;
    if (left <= 0) break;
    const waiting = drained(response);
    if (waiting) await waiting;
    if (signal.aborted) break;
  }
  response.end();
}

/** A part of a line has no line break, as in upstream's `pkg/kubelet/kuberuntime/logs`. */
export const formatLine = ({ time, content, isPartial }: LogLine, withTime: boolean): Buffer =>
  Buffer.concat([Buffer.from(withTime ? `${time} ` : ""), content, Buffer.from(isPartial ? "" : "\n")]);

function sinceOf(query: URLSearchParams, now: number): number | undefined {
  const seconds = numberOf(query.get("sinceSeconds"));
  if (seconds !== undefined) return now - seconds * 1000;
  const time = query.get("sinceTime");
  return time === null ? undefined : parseTimeMs(time);
}

const isTrue = (text: string | null): boolean => text === "true" || text === "1";

function numberOf(text: string | null): number | undefined {
  const value = text === null || text === "" || text === "all" ? Number.NaN : Number(text);
  return Number.isInteger(value) && value >= 0 ? value : undefined;
}
