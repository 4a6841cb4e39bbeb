import { isStatusError, type Status } from "@coxswain/apimachinery/status";
import type { Clock } from "@coxswain/runtime/clock";
import type { Soon } from "@coxswain/runtime/soon";
import { type Answer, statusAnswer, type WatchAnswer } from "../../request/answer.js";
import type { Form } from "../../request/form.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ResponseSink } from "../../request/response-sink.js";
import { failureForm } from "./failure-form.js";
import { gzipWhole } from "./gzip/gzip-whole.js";
import { recordAnswer } from "./record-answer.js";
import { warningHeaders } from "./warning-headers.js";
import { streamWatch } from "./watch-stream.js";
import { writeList } from "./write-list.js";
import { writeStream } from "./write-stream.js";

type Headers = Record<string, string | string[]>;

/** Writes an answer in the client's form. Over when the last byte has been handed on, or the client is gone. */
export function respond(
  answer: Answer,
  form: Form,
  context: RequestContext,
  sink: ResponseSink,
  clock: Clock,
): Soon<void> {
  try {
    if (context.audit) recordAnswer(context.audit, answer, context);
    context.latencies?.beginLast("serialize-response-object", clock);
    const writing = write(answer, form, context, sink, clock);
    return writing instanceof Promise ? failLater(writing, form, context, sink) : writing;
  } catch (err) {
    return writeFailure(err, form, context, sink);
  }
}

const failLater = (writing: Promise<void>, form: Form, context: RequestContext, sink: ResponseSink): Promise<void> =>
  writing.catch((err: unknown) => writeFailure(err, form, context, sink));

/** A form may find only now that it cannot represent this. */
function writeFailure(err: unknown, form: Form, context: RequestContext, sink: ResponseSink): Promise<void> {
  if (!isStatusError(err) || sink.headersSent) throw err;
  if (context.audit) recordAnswer(context.audit, statusAnswer(err.status), context);
  return writeStatus(err.status, form, context, sink);
}

function write(answer: Answer, form: Form, context: RequestContext, sink: ResponseSink, clock: Clock): Soon<void> {
  const headers = commonHeaders(context);
  switch (answer.as) {
    case "object":
      headers["content-type"] = form.contentType;
      return writeObject(sink, answer.code, headers, form.object(answer.kind, answer.object.bytes), context);
    case "status":
      return writeStatus(answer.status, form, context, sink, answer.headers);
    case "document":
      return writeWhole(
        sink,
        answer.code,
        withoutEmpty({ ...headers, "content-type": answer.contentType, ...answer.headers }),
        answer.bytes,
        context,
      );
    case "list":
      headers["content-type"] = form.contentType;
      return writeList(sink, headers, answer, form.list(answer), context);
    case "watch":
      return writeWatch(sink, headers, form, answer, context, clock);
    case "stream":
      return writeStream(sink, headers, answer, context);
    case "upgraded":
      context.audit?.begin(101);
      return answer.run();
  }
}

async function writeStatus(
  status: Status,
  form: Form,
  context: RequestContext,
  sink: ResponseSink,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const chosen = status.status === "Failure" ? await failureForm(context) : form;
  const retry = status.details?.retryAfterSeconds;
  const headers = {
    ...commonHeaders(context),
    ...(retry === undefined ? {} : { "retry-after": String(retry) }),
    "content-type": chosen.contentType,
    ...more,
  };
  writeWhole(sink, status.code ?? 200, headers, chosen.status(status), context);
}

/** Objects may be long, and are compressed like lists then. */
function writeObject(
  sink: ResponseSink,
  code: number,
  headers: Headers,
  bytes: Uint8Array,
  context: RequestContext,
): Soon<void> {
  const zipped = gzipWhole(bytes, context.request.header("accept-encoding"));
  if (!zipped) return writeWhole(sink, code, headers, bytes, context);
  return zipped.then((short) => writeWhole(sink, code, Object.assign(headers, short.headers), short.bytes, context));
}

function writeWhole(
  sink: ResponseSink,
  code: number,
  headers: Headers,
  bytes: Uint8Array,
  { request }: RequestContext,
): void {
  if (code === 304) return sink.only(code, headers);
  headers["content-length"] = String(bytes.length);
  if (request.method === "HEAD" || bytes.length === 0) return sink.only(code, headers);
  sink.head(code, headers);
  sink.end(bytes);
}

function writeWatch(
  sink: ResponseSink,
  headers: Headers,
  form: Form,
  answer: WatchAnswer,
  context: RequestContext,
  clock: Clock,
): Promise<void> {
  const events = form.stream(answer.kind);
  headers["content-type"] = form.streamType;
  sink.head(200, headers);
  return streamWatch({ answer, events, sink, signal: context.signal, clock, onEvent: context.onWatchEvent });
}

/** An empty text leaves a header out. */
const withoutEmpty = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));

function commonHeaders({ auditId, warnings, extraHeaders }: RequestContext): Headers {
  const headers: Headers = { "audit-id": auditId, "cache-control": "no-cache, private", ...extraHeaders };
  if (warnings.length === 0) return headers;
  const lines = warningHeaders(warnings);
  const [only] = lines;
  if (only !== undefined) headers.warning = lines.length === 1 ? only : lines;
  return headers;
}
