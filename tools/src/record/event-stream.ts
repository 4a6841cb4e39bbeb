import type { Json } from "./json.js";
import { parseJson } from "./json.js";

export interface EventLimits {
  /** Stop after so many events. */
  count: number;
  timeoutMs: number;
  /** Aborted when the stream is no longer read. */
  abort: AbortController;
}

/** Gathers the events of a watch: one JSON document per line. Ends at the count, at the timeout or with the stream. */
export async function readEvents(body: AsyncIterable<Uint8Array>, limits: EventLimits): Promise<Json[]> {
  const events: Json[] = [];
  const timer = setTimeout(() => limits.abort.abort(), limits.timeoutMs);
  try {
    for await (const line of readLines(body)) {
      events.push(parseJson(line) ?? line);
      if (events.length >= limits.count) break;
    }
  } catch (error) {
    // Our own timeout ends the stream so; what had come by then is the answer.
    if (!limits.abort.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    limits.abort.abort();
  }
  return events;
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield line;
  }
  if (rest !== "") yield rest;
}
