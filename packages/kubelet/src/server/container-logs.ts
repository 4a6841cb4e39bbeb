import type { ServerResponse } from "node:http";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { LogLine, LogOptions } from "../runtime/container-runtime.js";
import { drained } from "./drained.js";
import { type FoundPod, findLoggedRun } from "./find-run.js";
import { KubeletRefusal } from "./kubelet-source.js";

export interface LogRequest {
  readonly container: string;
  readonly query: URLSearchParams;
}

/** What a client wants of a log. */
interface LogQuery extends LogOptions {
  readonly stream: "all" | LogLine["stream"];
  readonly limitBytes: number;
  readonly timestamps: boolean;
}

/** Writes a container's log. @throws KubeletRefusal before the first byte */
export async function serveLogs(
  found: FoundPod,
  { container, query }: LogRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { containers, runtime } = found.agent.context;
  const asked = readLogQuery(query, runtime.clock.now());
  const id = findLoggedRun(found, container, isTrue(query.get("previous")));
  const lines = containers.logs(id, asked, signal)[Symbol.asyncIterator]();
  // A log that cannot be read is refused; one that has no lines yet begins all the same.
  const first = lines.next();
  const waiting = runtime.ioClock.setTimer(beginMs, () => begin(response));
  const read = await first.catch((error: Error) => {
    if (response.headersSent) throw error;
    throw new KubeletRefusal(400, error.message);
  });
  waiting.cancel();
  begin(response);
  if (!read.done) await writeLines(response, read.value, lines, asked);
  await lines.return?.();
  response.end();
}

/** How long a client waits for the beginning of a response without lines. */
const beginMs = 50;

function begin(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "transfer-encoding": "chunked" });
  response.flushHeaders();
}

/** Whether a line goes on is a matter of the log, not of what is shown of it (k8s.io/cri-client/pkg/logs, ReadLogs). */
async function writeLines(
  response: ServerResponse,
  first: LogLine,
  others: AsyncIterator<LogLine>,
  { stream, limitBytes, timestamps }: LogQuery,
): Promise<void> {
  let left = limitBytes;
  let isContinued = false;
  for (let line: LogLine | undefined = first; line && left > 0; line = await nextOf(others)) {
    if (stream === "all" || stream === line.stream) {
      const bytes = formatLine(line, timestamps && !isContinued);
      writeSoon(response, bytes.subarray(0, left));
      left -= bytes.length;
    }
    isContinued = line.isPartial === true;
    const waiting = drained(response);
    if (waiting) await waiting;
    if (response.destroyed) return;
  }
}

/** Lines that are there at once leave in one write. */
function writeSoon(response: ServerResponse, bytes: Buffer): void {
  if (response.writableCorked === 0) {
    response.cork();
    process.nextTick(() => response.uncork());
  }
  response.write(bytes);
}

async function nextOf(lines: AsyncIterator<LogLine>): Promise<LogLine | undefined> {
  const { done, value } = await lines.next();
  return done ? undefined : value;
}

/** A part of a line has no line break, as in upstream's `pkg/kubelet/kuberuntime/logs`. */
export const formatLine = ({ time, content, isPartial }: LogLine, withTime: boolean): Buffer =>
  Buffer.concat([Buffer.from(withTime ? `${time} ` : ""), content, Buffer.from(isPartial ? "" : "\n")]);

function readLogQuery(query: URLSearchParams, now: number): LogQuery {
  const stream = (query.get("stream") ?? "All").toLowerCase();
  if (stream !== "all" && stream !== "stdout" && stream !== "stderr")
    throw new KubeletRefusal(422, `{"message": "Invalid request."}`);
  const tail = numberOf(query.get("tailLines") ?? query.get("tail"));
  // Upstream refuses both together: the last lines of one stream are not known before all are read.
  if (stream !== "all" && tail !== undefined) throw new KubeletRefusal(422, `{"message": "Invalid request."}`);
  const sinceMs = sinceOf(query, now);
  return {
    follow: isTrue(query.get("follow")),
    ...(tail !== undefined && { tail }),
    ...(sinceMs !== undefined && { sinceMs }),
    stream,
    limitBytes: numberOf(query.get("limitBytes")) ?? Number.POSITIVE_INFINITY,
    timestamps: isTrue(query.get("timestamps")),
  };
}

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
