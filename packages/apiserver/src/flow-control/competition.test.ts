import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { whenAborted } from "@coxswain/runtime/lazy-signal";
import { createSeededRandom, type RandomSource } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../request/request.js";
import type { ResponseSink } from "../request/response-sink.js";
import type { UserInfo } from "../request/user-info.js";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

/** The requests of each level: lists, watches with initial events, writes and reads. */
const callers: Readonly<
  Record<string, { user: UserInfo; path: string; kind: string; apiVersion: string; lists: boolean }>
> = {
  exempt: {
    user: { name: "admin", groups: ["system:masters"] },
    path: configMaps,
    kind: "ConfigMap",
    apiVersion: "v1",
    lists: true,
  },
  system: {
    user: { name: "system:node:a", groups: ["system:nodes"] },
    path: configMaps,
    kind: "ConfigMap",
    apiVersion: "v1",
    lists: true,
  },
  "node-high": {
    user: { name: "system:node:a", groups: ["system:nodes"] },
    path: "/api/v1/nodes",
    kind: "Node",
    apiVersion: "v1",
    lists: true,
  },
  "leader-election": {
    user: { name: "system:kube-scheduler", groups: [] },
    path: leases,
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    lists: false,
  },
  "workload-high": {
    user: { name: "system:kube-controller-manager", groups: [] },
    path: configMaps,
    kind: "ConfigMap",
    apiVersion: "v1",
    lists: true,
  },
  "workload-low": {
    user: {
      name: "system:serviceaccount:default:a",
      groups: ["system:serviceaccounts", "system:serviceaccounts:default"],
    },
    path: configMaps,
    kind: "ConfigMap",
    apiVersion: "v1",
    lists: true,
  },
  "global-default": {
    user: { name: "jane", groups: [] },
    path: configMaps,
    kind: "ConfigMap",
    apiVersion: "v1",
    lists: true,
  },
  "catch-all": {
    user: { name: "stray", groups: [] },
    path: configMaps,
    kind: "ConfigMap",
    apiVersion: "v1",
    lists: true,
  },
};

/** A client that takes its time with every piece of an answer, by the clock of the test. */
class SlowSink implements ResponseSink {
  readonly isEmpty = false;
  readonly unreadBytes = 0;
  readonly #clock: VirtualClock;
  readonly #slowMs: number;
  readonly #gone: AbortSignal;
  headersSent = false;
  code = 0;
  bytes = 0;

  constructor(clock: VirtualClock, slowMs: number, gone: AbortSignal) {
    this.#clock = clock;
    this.#slowMs = slowMs;
    this.#gone = gone;
  }

  head(code: number): void {
    this.headersSent = true;
    this.code = code;
  }

  only(code: number): void {
    this.head(code);
  }

  write(): boolean {
    return false;
  }

  drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const forget = whenAborted(this.#gone, () => reject(new Error("the client is gone")));
      this.#clock.setTimer(this.#slowMs, () => {
        forget();
        resolve();
      });
    });
  }

  send(): Promise<void> {
    return this.drained();
  }

  end(): void {}
  flushed(): void {}
  abort(): void {}
}

interface Asked {
  readonly level: string;
  readonly sink: SlowSink;
  readonly leave: () => void;
  readonly done: Promise<void>;
}

function ask(
  server: ApiServer,
  clock: VirtualClock,
  level: string,
  { method, path, query, body, slowMs }: { method: string; path: string; query: string; body?: object; slowMs: number },
): Asked {
  const leaving = new AbortController();
  const sink = new SlowSink(clock, slowMs, leaving.signal);
  const user = callers[level]?.user ?? { name: "nobody", groups: [] };
  const headers = new Map([
    ["accept", "application/json"],
    ["content-type", "application/json"],
  ]);
  const bytes = new TextEncoder().encode(body ? JSON.stringify(body) : "");
  const request: ApiRequest = {
    method,
    path,
    query,
    header: (name) => headers.get(name),
    headerNames: () => headers.keys(),
    body: { as: "bytes", read: () => Promise.resolve(bytes) },
    signal: leaving.signal,
    whenGone: (then) => whenAborted(leaving.signal, then),
    caller: { via: "process", user },
  };
  return { level, sink, leave: () => leaving.abort(), done: Promise.resolve(server.serve(request, sink)) };
}

function chooseRequest(random: RandomSource, level: string, count: number): Parameters<typeof ask>[3] {
  const { path, kind, apiVersion, lists } = callers[level] as (typeof callers)[string];
  const name = `${level}-${count}`;
  const slowMs = 1 + Math.floor(random.next() * 2000);
  const timeout = random.next() < 0.3 ? "timeout=2s" : "";
  const create = { method: "POST", path, query: timeout, body: { apiVersion, kind, metadata: { name } }, slowMs };
  const get = { method: "GET", path: `${path}/${name}`, query: timeout, slowMs };
  const list = { method: "GET", path, query: timeout, slowMs };
  const watch = { method: "GET", path, query: "watch=true&timeoutSeconds=5&allowWatchBookmarks=true", slowMs };
  const all = lists ? [create, get, list, list, watch, watch] : [create, get];
  return all[Math.floor(random.next() * all.length)] as Parameters<typeof ask>[3];
}

/** Seats that are taken or waited for, by level and schema, where there are any. */
const held = (text: string): string[] =>
  [...text.matchAll(/^apiserver_flowcontrol_current_(?:inqueue|executing)_(?:requests|seats)\{.*\} (?!0$).*$/gm)].map(
    ([line]) => line,
  );

const seats = (text: string, name: string): Map<string, number> =>
  new Map(
    [...text.matchAll(new RegExp(`^apiserver_flowcontrol_${name}_seats\\{priority_level="(.*)"\\} (.*)$`, "gm"))].map(
      ([, level = "", value]) => [level, Number(value)],
    ),
  );

describe("watches, lists and writes that compete for seats", () => {
  for (const seed of [1, 2, 3]) {
    it(`all come to an end, at every level (seed ${seed})`, { timeout: 60_000 }, async () => {
      const random = createSeededRandom(seed);
      const clock = createVirtualClock();
      const store = createMemoryStore({ runtime: systemRuntime() });
      const server = await startApiServer({
        runtime: testRuntime(1, { clock, ioClock: clock }),
        store,
        authorizers: ["AlwaysAllow"],
        admission: { enabled: [], disabled: ["NodeRestriction"] },
        limits: { maxRequestsInFlight: 20, maxMutatingRequestsInFlight: 10 },
      });
      const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
      const make = (path: string, body: object): Promise<unknown> =>
        admin.request({ method: "POST", path, body }) as Promise<unknown>;
      await make("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", {
        apiVersion: "flowcontrol.apiserver.k8s.io/v1",
        kind: "FlowSchema",
        metadata: { name: "strays" },
        spec: {
          matchingPrecedence: 50,
          priorityLevelConfiguration: { name: "catch-all" },
          rules: [
            {
              subjects: [{ kind: "User", user: { name: "stray" } }],
              resourceRules: [
                { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
              ],
            },
          ],
        },
      });
      for (let count = 0; count < 10; count++)
        await make(configMaps, {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: `wide-${count}` },
          data: { a: "x".repeat(100_000) },
        });
      // From now on the store takes its time, too.
      const put = store.put.bind(store);
      store.put = (...args) =>
        new Promise(
          (resolve, reject) =>
            void clock.setTimer(1 + Math.floor(random.next() * 3000), () => put(...args).then(resolve, reject)),
        );

      const all: Asked[] = [];
      const ended: Asked[] = [];
      const levels = Object.keys(callers);
      const begin = (level: string): void => {
        const one = ask(server, clock, level, chooseRequest(random, level, all.length));
        all.push(one);
        void one.done.then(() => ended.push(one));
        if (random.next() < 0.2) clock.setTimer(Math.floor(random.next() * 4000), one.leave);
      };
      // Bursts that fill queues, and a trickle in between.
      for (const level of levels)
        for (let burst = 0; burst < 3; burst++)
          clock.setTimer(Math.floor(random.next() * 60_000), () =>
            Array.from({ length: 60 }).forEach(() => begin(level)),
          );
      for (let each = 0; each < 300; each++)
        clock.setTimer(Math.floor(random.next() * 60_000), () =>
          begin(levels[Math.floor(random.next() * levels.length)] as string),
        );
      // One client with more than its queues hold.
      clock.setTimer(30_000, () => Array.from({ length: 1500 }).forEach(() => begin("workload-low")));
      const expected = levels.length * 180 + 300 + 1500;

      const iterate = async (): Promise<void> => {
        for (let time = 0; time < 50; time++) await new Promise((resolve) => setImmediate(resolve));
      };
      let borrowed = false;
      for (let step = 0; step < 6000 && ended.length < expected; step++) {
        await iterate();
        await clock.advance(100);
        if (step % 50 !== 0) continue;
        const text = await server.metrics.text();
        const nominal = seats(text, "nominal_limit");
        for (const [level, now] of seats(text, "current_limit"))
          if (level !== "exempt" && now > (nominal.get(level) ?? 0)) borrowed = true;
      }
      const text = await server.metrics.text();
      expect({ begun: all.length, ended: ended.length, left: held(text) }).toEqual({
        begun: expected,
        ended: expected,
        left: [],
      });

      const codes = (level: string): Set<number> =>
        new Set(all.filter((one) => one.level === level).map(({ sink }) => sink.code));
      for (const level of levels)
        expect([level, [...codes(level)].some((code) => code === 200 || code === 201)]).toEqual([level, true]);
      expect(codes("exempt")).not.toContain(429);
      const refused = new Set(
        [...text.matchAll(/rejected_requests_total\{.*reason="(.*)"\}/g)].map(([, reason]) => reason),
      );
      expect(refused).toEqual(new Set(["concurrency-limit", "queue-full", "time-out"]));
      for (const level of levels) expect(text).toContain(`,priority_level="${level}"}`);
      expect(borrowed).toBe(true);

      // No seat was leaked: new requests execute without waiting.
      const late = levels.map((level) =>
        ask(server, clock, level, { method: "GET", path: callers[level]?.path ?? "", query: "limit=1", slowMs: 1 }),
      );
      await iterate();
      await clock.advance(1000);
      await Promise.all(late.map(({ done }) => done));
      expect(late.map(({ level, sink }) => [level, sink.code])).toEqual(levels.map((level) => [level, 200]));
      await server.stop();
    });
  }
});
