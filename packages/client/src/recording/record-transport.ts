import { append } from "@coxswain/apimachinery/append";
import { isStatusError } from "@coxswain/apimachinery/status";
import type { Transport } from "../transport/transport.js";
import { isTransportError } from "../transport/transport-error.js";
import type { WatchEvent, WatchStream } from "../transport/watch-event.js";
import { initialEventsEndAnnotation } from "../watch/watch-decoder.js";
import { bytesResponse } from "./bytes-response.js";
import { recordedBody, recordedRequest } from "./recorded-request.js";
import type { RecordedAnswer, RecordedExchange, Recording } from "./recording.js";

/** Headers that a client looks at. */
const keptHeaders = ["content-type", "retry-after", "warning"];

/** Passes everything on and keeps requests and answers. Answers are read whole first: not for logs that follow. */
export function recordTransport(transport: Transport): { transport: Transport; recording(): Recording } {
  const exchanges: { exchange: Omit<RecordedExchange, "answer">; answer: () => RecordedAnswer | undefined }[] = [];
  const keep = (exchange: Omit<RecordedExchange, "answer">): ((answer: () => RecordedAnswer | undefined) => void) => {
    const entry = { exchange, answer: (): RecordedAnswer | undefined => undefined };
    exchanges.push(entry);
    return (answer) => void (entry.answer = answer);
  };
  const failure = (error: unknown): RecordedAnswer | undefined => {
    if (isStatusError(error)) return { refused: error.status };
    if (isTransportError(error)) return { failed: { kind: error.kind, message: error.message } };
    return undefined; // aborted by the caller
  };
  return {
    transport: {
      async send(request) {
        const answered = keep(recordedRequest(request, false));
        try {
          const response = await transport.send(request);
          const body = await response.bytes();
          const headers: Record<string, string> = {};
          for (const name of keptHeaders) {
            const value = response.header(name);
            if (value !== undefined) headers[name] = value;
          }
          answered(() => ({ status: response.status, headers, body: recordedBody(body) }));
          return bytesResponse(response.status, headers, body);
        } catch (error) {
          answered(() => failure(error));
          throw error;
        }
      },
      async watch(request) {
        const answered = keep(recordedRequest(request, true));
        try {
          return recordWatch(await transport.watch(request), answered);
        } catch (error) {
          answered(() => failure(error));
          throw error;
        }
      },
      close: () => transport.close(),
    },
    recording: () => ({
      exchanges: exchanges.flatMap(({ exchange, answer }) => {
        const given = answer();
        return given === undefined ? [] : [{ ...exchange, answer: given }];
      }),
    }),
  };
}

function recordWatch(stream: WatchStream, answered: (answer: () => RecordedAnswer) => void): WatchStream {
  const frames: { type: string; object: unknown }[] = [];
  let ended: "by the server" | "by the client" = "by the client";
  answered(() => ({ frames: [...frames], ended }));
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of stream) {
        append(frames, batch.map(frameOf));
        yield batch;
      }
      ended = "by the server";
    },
    stop: () => stream.stop(),
  };
}

function frameOf(event: WatchEvent): { type: string; object: unknown } {
  if (event.type === "ERROR") return { type: "ERROR", object: event.error.status };
  if (event.type !== "BOOKMARK") return { type: event.type, object: event.object };
  const annotations = event.initialEventsEnd ? { annotations: { [initialEventsEndAnnotation]: "true" } } : {};
  return { type: "BOOKMARK", object: { metadata: { resourceVersion: event.resourceVersion, ...annotations } } };
}
