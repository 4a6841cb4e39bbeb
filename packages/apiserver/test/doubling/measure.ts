import { countNativeWork, createWorkCounter, type Measured } from "@coxswain/tools/work";

export interface SentRequest {
  /** @default "GET" */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The work of a request at n, 2n, 4n and 8n: blocks of JavaScript, and what built-in functions look at. */
export interface RequestWork {
  readonly blocks: Measured;
  readonly native: Measured;
  /** Of the largest. */
  readonly status: number;
  /** Of the largest, in milliseconds, for people. */
  readonly ms: number;
}

export interface Meter {
  measure(of: (n: number) => SentRequest, n: number): Promise<RequestWork>;
  stop(): Promise<void>;
}

/** A server whose work is counted. It is loaded here, behind the counter: scripts that are loaded before it have no blocks. */
export async function startMeter(): Promise<Meter> {
  const counter = createWorkCounter((url) => url.includes("/packages/") || url.includes("/js-yaml/"));
  const { startApiServer } = await import("../../src/server/api-server.js");
  const { createByteRequester } = await import("../../src/server/byte-requester.js");
  const { createMemoryStore } = await import("@coxswain/storage/memory");
  const { systemClock } = await import("@coxswain/apimachinery/clock");
  const server = await startApiServer({ store: createMemoryStore({ clock: systemClock }) });
  const request = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
  const signal = new AbortController().signal;
  const send = async ({ method = "GET", path, headers = {}, body }: SentRequest): Promise<number> => {
    const answer = await request({
      method,
      path,
      headers: { accept: "application/json", ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
      signal,
    });
    for await (const chunk of answer.body) void chunk;
    return answer.status;
  };
  await send({
    method: "POST",
    path: "/api/v1/namespaces/default/configmaps",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" } }),
  });

  const countOnce = async (
    sent: SentRequest,
  ): Promise<{ blocks: number; native: number; status: number; ms: number }> => {
    counter.take();
    const native = countNativeWork();
    const start = performance.now();
    try {
      const status = await send(sent);
      const ms = performance.now() - start;
      return { native: native.take(), blocks: counter.take().total, status, ms };
    } finally {
      native.stop();
    }
  };
  /** The lesser of two: a timer that fires meanwhile adds its own work. The first also loads and caches what is used for the first time. */
  const count = async (sent: SentRequest) => {
    const [first, second] = [await countOnce(sent), await countOnce(sent)];
    return {
      ...second,
      blocks: Math.min(first.blocks, second.blocks),
      native: Math.min(first.native, second.native),
    };
  };
  return {
    async measure(of, n) {
      const found = [];
      for (const size of [n, 2 * n, 4 * n, 8 * n]) found.push(await count(of(size)));
      const last = found[3]!;
      return {
        blocks: found.map(({ blocks }) => blocks) as unknown as Measured,
        native: found.map(({ native }) => native) as unknown as Measured,
        status: last.status,
        ms: last.ms,
      };
    },
    async stop() {
      counter.stop();
      await server.stop();
    },
  };
}
