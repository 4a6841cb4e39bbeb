import type { Clock } from "@coxswain/apimachinery/clock";
import type { Answer, ListAnswer, WatchAnswer } from "../../server/answer.js";
import type { ResponseSink } from "../../server/response-sink.js";
import type { RequestContext } from "../request-context.js";
import type { Form } from "./form.js";
import { listChunks } from "./list-chunks.js";
import { streamWatch } from "./watch-stream.js";

type Headers = Record<string, string | string[]>;

/** Writes an answer in the client's form. Resolves when the last byte has been handed on, or the client is gone. */
export async function respond(answer: Answer, form: Form, context: RequestContext, sink: ResponseSink, clock: Clock): Promise<void> {
  const headers = commonHeaders(context);
  switch (answer.as) {
    case "object":
      return whole(sink, answer.code, headers, form.contentType, form.object(answer.kind, answer.object.bytes), context);
    case "status":
      if (answer.status.details?.retryAfterSeconds !== undefined) headers["retry-after"] = String(answer.status.details.retryAfterSeconds);
      return whole(sink, answer.status.code ?? 200, headers, form.contentType, form.status(answer.status), context);
    case "document":
      return whole(sink, answer.code, { ...headers, ...answer.headers }, answer.contentType, answer.bytes, context);
    case "list":
      return list(sink, headers, form, answer, context);
    case "watch":
      return watch(sink, headers, form, answer, context, clock);
  }
}

function whole(sink: ResponseSink, code: number, headers: Headers, contentType: string, bytes: Uint8Array, context: RequestContext): void {
  if (contentType !== "") headers["content-type"] = contentType;
  if (code === 304) return sink.only(code, headers);
  headers["content-length"] = String(bytes.length);
  if (isHead(context) || bytes.length === 0) return sink.only(code, headers);
  sink.head(code, headers);
  sink.end(bytes);
}

async function list(sink: ResponseSink, headers: Headers, form: Form, answer: ListAnswer, context: RequestContext): Promise<void> {
  headers["content-type"] = form.contentType;
  const chunks = listChunks(answer, form.list(answer));
  let { value: chunk } = chunks.next();
  let next = chunks.next();
  if (next.done && chunk) headers["content-length"] = String(chunk.length);
  if (isHead(context)) return sink.only(200, headers);
  sink.head(200, headers);
  while (!next.done) {
    await sink.send(chunk as Uint8Array);
    chunk = next.value;
    next = chunks.next();
  }
  sink.end(chunk as Uint8Array);
}

function watch(sink: ResponseSink, headers: Headers, form: Form, answer: WatchAnswer, context: RequestContext, clock: Clock): Promise<void> {
  headers["content-type"] = form.streamType;
  sink.head(200, headers);
  return streamWatch({ answer, events: form.stream(answer.kind), sink, signal: context.signal, clock });
}

function commonHeaders({ auditId, warnings }: RequestContext): Headers {
  return {
    "audit-id": auditId,
    "cache-control": "no-cache, private",
    ...(warnings.length === 0 ? {} : { warning: [...new Set(warnings)].map(warningHeader) }),
  };
}

/** RFC 7234: code 299, no agent, quoted text without control characters. */
const warningHeader = (text: string): string => `299 - "${text.replace(/[\u0000-\u001f\u007f]/g, "").replace(/["\\]/g, "\\$&")}"`;

const isHead = ({ request }: RequestContext): boolean => request.method === "HEAD";
