import { systemRuntime } from "@coxswain/runtime";
import { countNativeWork, createWorkCounter, type Measured } from "@coxswain/tools/work";
import { createSectionScheduler } from "./sections.js";

export interface SentRequest {
  /** @default "GET" */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent before it, and not counted. */
  readonly before?: SentRequest;
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

export interface Measurement {
  /** A request that is not counted. @returns its status */
  send(request: SentRequest): Promise<number>;
  measure(of: (n: number) => SentRequest, n: number): Promise<RequestWork>;
  /** What of a request runs without a break at most. */
  longestSection(request: SentRequest): Promise<LongestSection>;
  stop(): Promise<void>;
}

export interface LongestSection {
  /** Blocks of JavaScript, and what built-in functions look at. */
  readonly operations: number;
  readonly status: number;
  /** How many sections there were. */
  readonly sections: number;
}

/** Reading the counter takes longer than most sections: those that took longest by the clock are counted when the request is sent again. */
const countedSections = 6;

/** A server whose work is counted. It is loaded here, behind the counter: scripts that are loaded before it have no blocks. */
export async function startMeasuring(): Promise<Measurement> {
  const counter = createWorkCounter((url) => url.includes("/packages/") || url.includes("/js-yaml/"));
  const { startApiServer } = await import("../../src/server/compose/api-server.js");
  const { createByteRequester } = await import("../../src/server/in-process/byte-requester.js");
  const { createMemoryStore } = await import("@coxswain/storage/memory");
  const runtime = systemRuntime();
  const scheduler = createSectionScheduler(runtime.scheduler);
  const server = await startApiServer({
    runtime: { ...runtime, scheduler },
    store: createMemoryStore({ runtime }),
  });
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

  const timeSections = async (request: SentRequest): Promise<{ times: number[]; status: number }> => {
    const times: number[] = [];
    let began = 0;
    const stopClock = scheduler.observe({
      begins: () => void (began = performance.now()),
      ends: (index) => void (times[index] = performance.now() - began),
    });
    const status = await send(request);
    stopClock();
    return { times, status };
  };
  const count = async ({ before, ...sent }: SentRequest): Promise<Count> => {
    if (before !== undefined) {
      await send(before);
      counter.take();
    }
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
  const countAll = async (of: (n: number) => SentRequest, sizes: readonly number[]): Promise<Count[]> => {
    const found: Count[] = [];
    for (const size of sizes) found.push(await count(of(size)));
    return found;
  };
  counter.take();
  return {
    async send(request) {
      const status = await send(request);
      counter.take();
      return status;
    },
    async measure(of, n) {
      // Reading the counter walks the heap and takes longer than most requests: three sizes are enough where nothing looks wrong.
      const rough = await countAll(of, [2 * n, 4 * n, 8 * n]);
      if (!looksSuperLinear(rough)) return workOf([rough[0]!, ...rough]);
      // The lesser of two: a timer that fires meanwhile adds its own work, and what is used for the first time is loaded and cached.
      const sizes = [n, 2 * n, 4 * n, 8 * n];
      const [first, second] = [await countAll(of, sizes), await countAll(of, sizes)];
      return workOf(
        second.map((one, at) => ({
          ...one,
          blocks: Math.min(one.blocks, first[at]!.blocks),
          native: Math.min(one.native, first[at]!.native),
        })),
      );
    },
    async longestSection(request) {
      const { times, status } = await timeSections(request);
      const again = (await timeSections(request)).times;
      // The lesser of two: others run on this machine, too, and what is used for the first time is loaded.
      const least = again.map((ms, index) => Math.min(ms, times[index] ?? ms));
      const longest = [...least.keys()].sort((a, b) => least[b]! - least[a]!).slice(0, countedSections);
      const chosen = new Set(longest);
      let operations = 0;
      const native = countNativeWork({ withJson: true });
      const take = (): number => counter.take().total + native.take();
      const stopCounting = scheduler.observe({
        begins: (index) => void (chosen.has(index) && take()),
        ends: (index) => void (chosen.has(index) && (operations = Math.max(operations, take()))),
      });
      await send(request);
      stopCounting();
      native.stop();
      counter.take();
      return { operations, status, sections: times.length };
    },
    async stop() {
      counter.stop();
      await server.stop();
    },
  };
}

interface Count {
  readonly blocks: number;
  readonly native: number;
  readonly status: number;
  readonly ms: number;
}

const looksSuperLinear = ([two, four, eight]: readonly Count[]): boolean =>
  (["blocks", "native"] as const).some((kind) => eight![kind] - four![kind] > 2.5 * (four![kind] - two![kind]));

function workOf(counts: readonly Count[]): RequestWork {
  const last = counts[3]!;
  return {
    blocks: counts.map(({ blocks }) => blocks) as unknown as Measured,
    native: counts.map(({ native }) => native) as unknown as Measured,
    status: last.status,
    ms: last.ms,
  };
}
