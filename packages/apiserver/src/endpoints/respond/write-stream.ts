import type { StreamAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ResponseSink } from "../../request/response-sink.js";

type Headers = Record<string, string | string[]>;

/** Hands on what another server sends, no faster than the client reads. A body that fails shows as an answer that was cut. */
export async function writeStream(
  sink: ResponseSink,
  common: Headers,
  { code, headers, body }: StreamAnswer,
  { request, signal }: RequestContext,
): Promise<void> {
  const all = added(common, headers);
  if (!body || request.method === "HEAD") {
    body?.destroy();
    return sink.only(code, all);
  }
  const stop = (): void => void body.destroy();
  body.once("error", () => undefined); // The loop below reports it.
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return stop();
    sink.head(code, all);
    for await (const chunk of body as AsyncIterable<Uint8Array>) if (!sink.write(chunk)) await sink.drained();
    sink.end();
  } catch {
    sink.abort();
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** As upstream's proxy does it (k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go, ServeHTTP): the other server's headers are added to those that are set already. */
function added(common: Headers, more: StreamAnswer["headers"]): Headers {
  const all = { ...common };
  for (const [name, value] of Object.entries(more)) {
    const before = all[name];
    all[name] = before === undefined ? value : [before, value].flat();
  }
  return all;
}
