import type { CallOptions, RestClient } from "../rest/index.js";
import { resourcePath } from "../rest/index.js";

export interface PodLogOptions extends CallOptions {
  readonly namespace: string;
  readonly pod: string;
  /** Needed where there are several. */
  readonly container?: string;
  /** Stays open for what is written later. @default false */
  readonly follow?: boolean;
  /** Of the container before this one. @default false */
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** @default "All": both streams mixed */
  readonly stream?: "All" | "Stdout" | "Stderr";
}

const parameters = [
  "container",
  "follow",
  "previous",
  "sinceSeconds",
  "sinceTime",
  "timestamps",
  "tailLines",
  "limitBytes",
  "stream",
] as const;

/** The bytes of a container's log as they come. Leaving the loop ends the request. Throws as every call does, at the first read. */
export async function* podLogs(
  { rest }: { rest: RestClient },
  options: PodLogOptions,
): AsyncGenerator<Uint8Array, void> {
  const { namespace, pod, signal, timeoutMs } = options;
  const response = await rest.open({
    method: "GET",
    path: resourcePath({ group: "", version: "v1", resource: "pods", namespace, name: pod, subresource: "log" }),
    query: parameters.flatMap((name): [string, string][] => {
      const value = options[name];
      return value === undefined || value === false ? [] : [[name, String(value)]];
    }),
    headers: { accept: "*/*" },
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  yield* response.stream();
}

/** The log line by line, without line ends; a last line without one counts. */
export async function* podLogLines(client: { rest: RestClient }, options: PodLogOptions): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of podLogs(client, options)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() as string;
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
