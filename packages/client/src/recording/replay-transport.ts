import { equalJson } from "@coxswain/apimachinery/json";
import { statusErrorFromObject } from "@coxswain/apimachinery/status";
import { BatchQueue } from "../transport/batch-queue.js";
import type { Transport, TransportRequest } from "../transport/transport.js";
import { TransportError } from "../transport/transport-error.js";
import type { WatchEvent, WatchStream } from "../transport/watch-event.js";
import { watchEventOf } from "../watch/watch-decoder.js";
import { bytesResponse } from "./bytes-response.js";
import { bodyBytes, recordedRequest } from "./recorded-request.js";
import type { RecordedAnswer, RecordedRequest, Recording } from "./recording.js";

/**
 * Answers from a recording. Each answer is given once, to the first request like the recorded one; requests that differ
 * may come in any order. A request that nothing fits is an error that names it.
 */
export function replayTransport(recording: Recording): Transport & { readonly unused: number } {
  const left = [...recording.exchanges];
  const take = (request: TransportRequest, isWatch: boolean): RecordedAnswer => {
    const wanted = recordedRequest(request, isWatch);
    const index = left.findIndex((recorded) => isSame(recorded, wanted));
    const [found] = index < 0 ? [] : left.splice(index, 1);
    if (found === undefined) throw new Error(`the recording has no answer (left) to ${wanted.method} ${wanted.target}`);
    const { answer } = found;
    if ("failed" in answer) throw new TransportError(answer.failed.kind, answer.failed.message);
    if ("refused" in answer) throw statusErrorFromObject(answer.refused);
    return answer;
  };
  return {
    async send(request) {
      request.signal?.throwIfAborted();
      const answer = take(request, false);
      if (!("status" in answer)) throw new Error("the recording answers a request by a watch");
      return bytesResponse(answer.status, answer.headers, bodyBytes(answer.body));
    },
    async watch(request) {
      request.signal?.throwIfAborted();
      const answer = take(request, true);
      if (!("frames" in answer)) throw new Error("the recording answers a watch by a single answer");
      return replayWatch(answer, request.signal);
    },
    close: () => Promise.resolve(),
    get unused() {
      return left.length;
    },
  };
}

function isSame(recorded: RecordedRequest, wanted: RecordedRequest): boolean {
  return (
    recorded.method === wanted.method &&
    recorded.target === wanted.target &&
    recorded.accept === wanted.accept &&
    recorded.isWatch === wanted.isWatch &&
    equalJson(recorded.body ?? null, wanted.body ?? null)
  );
}

/** A watch that its client ended stays open after the last frame, until this client ends it, too. */
function replayWatch(
  { frames, ended }: Extract<RecordedAnswer, { frames: unknown }>,
  signal?: AbortSignal,
): WatchStream {
  const queue = new BatchQueue<WatchEvent>();
  queue.push(structuredClone(frames).map(watchEventOf));
  if (ended === "by the server") queue.end();
  signal?.addEventListener("abort", () => queue.stop(), { once: true });
  return queue;
}
