import { setTimeout as sleep } from "node:timers/promises";
import { createSeededRandom } from "@coxswain/runtime/random";
import { checkHistory } from "./check/check-history.js";
import { ApiConnection } from "./clients/api-connection.js";
import { createPlainSender, now, type PlainSender } from "./clients/perform.js";
import { runWatcher } from "./clients/run-watcher.js";
import { runWriter } from "./clients/run-writer.js";
import type { ControlPlane } from "./control-plane/control-plane.js";
import { injectFault } from "./faults/inject-fault.js";
import { endOf, type Fault } from "./faults/plan-faults.js";
import type { Commit } from "./history/committed-log.js";
import type { History, Operation, WatchSegment } from "./history/operation.js";

export interface SeedResult {
  readonly history: History;
  readonly commits: readonly Commit[];
  /** From the end of the last fault until every API server reads and writes again. */
  readonly healedMs: number;
  readonly problems: readonly string[];
}

const requestTimeoutMs = 4000;
/** How long everything may take to be well after the last fault. */
const healingMs = 40_000;
/** How long a watcher may take to the end of the log once everything is well. */
const catchUpMs = 15_000;
const writers = 6;
const watchers: readonly (string | undefined)[] = [undefined, undefined, undefined, "even"];

/** Traffic of several clients while the faults happen, then quiet; then all that they saw is compared with what etcd committed. */
export async function runSeed(plane: ControlPlane, seed: number, faults: readonly Fault[]): Promise<SeedResult> {
  const run = new SeedRun(plane, `seed-${seed}-${Date.now().toString(36)}`);
  try {
    return await run.go(seed, faults);
  } finally {
    run.close();
  }
}

/** One seed: its namespace, its clients and what they record. */
class SeedRun {
  readonly #plane: ControlPlane;
  readonly #namespace: string;
  readonly #operations: Operation[] = [];
  readonly #watches: WatchSegment[] = [];
  readonly #commits: Commit[] = [];
  readonly #connections: ApiConnection[] = [];
  readonly #reached = new Map<string, number>();
  readonly #over = new AbortController();
  #marked = 0;
  #reading = Promise.resolve(0);

  constructor(plane: ControlPlane, namespace: string) {
    this.#plane = plane;
    this.#namespace = namespace;
  }

  close(): void {
    this.#over.abort();
    for (const connection of this.#connections) connection.close();
  }

  async go(seed: number, faults: readonly Fault[]): Promise<SeedResult> {
    await this.#createNamespace();
    this.#marked = await this.#plane.machines[0]!.etcd.mark();
    const quiet = new AbortController();
    const record = (operation: Operation): void => void this.#operations.push(operation);
    const recordWatch = (segment: WatchSegment): void => void this.#watches.push(segment);
    const clientOf = (client: string) => ({
      client,
      senders: this.#sendersOf(client),
      random: createSeededRandom(`${client} of ${seed}`),
      record,
    });
    const writing = Array.from({ length: writers }, (_, index) =>
      runWriter({ ...clientOf(`writer${index}`), signal: quiet.signal }),
    );
    const watching = watchers.map((parity, index) => {
      const client = `watcher${index}`;
      const onReached = (revision: number): void => void this.#reached.set(client, revision);
      this.#reached.set(client, 0);
      return runWatcher({ ...clientOf(client), parity, signal: this.#over.signal, recordWatch, onReached });
    });
    await this.#injectFaults(faults);
    const problems: string[] = [];
    const healedMs = await this.#heal(problems);
    await sleep(300); // of traffic without faults
    quiet.abort();
    await Promise.all(writing);
    await this.#endOfLog(problems);
    this.#over.abort();
    await Promise.all(watching);
    await this.#readOn(); // what was sent long ago may have come last
    const history = { operations: this.#operations, watches: this.#watches };
    return {
      history,
      commits: this.#commits,
      healedMs,
      problems: [...problems, ...checkHistory(history, this.#commits)],
    };
  }

  /** All are over at the end, also when one failed: what it took down would otherwise come up among the servers of the next seed. */
  async #injectFaults(faults: readonly Fault[]): Promise<void> {
    const injected = faults.map(async (fault) => {
      await sleep(fault.atMs);
      await injectFault(this.#plane, fault, this.#readOn);
    });
    await Promise.allSettled([...injected, sleep(endOf(faults))]);
    await Promise.all(injected);
  }

  #sendersOf(client: string): PlainSender[] {
    return this.#plane.machines.map(({ index: server, url }) => {
      const collection = `${url}/api/v1/namespaces/${this.#namespace}/configmaps`;
      const connection = new ApiConnection(collection, this.#plane.credentials, requestTimeoutMs);
      this.#connections.push(connection);
      return createPlainSender(server, client, connection);
    });
  }

  async #createNamespace(): Promise<void> {
    const { url } = this.#plane.machines[0]!;
    const namespaces = new ApiConnection(`${url}/api/v1/namespaces`, this.#plane.credentials, requestTimeoutMs);
    this.#connections.push(namespaces);
    const { code, body } = await namespaces.call({
      method: "POST",
      path: "",
      body: { metadata: { name: this.#namespace } },
    });
    if (code !== 201) throw new Error(`the namespace could not be made: ${code} ${body.message}`);
  }

  /** The log up to now, before etcd may forget it. Answers the revision up to which it has been read. One after the other: two compactions may overlap. */
  #readOn = (): Promise<number> => (this.#reading = this.#reading.catch(() => 0).then(this.#readNext));

  #readNext = async (): Promise<number> => {
    const errors: unknown[] = [];
    for (const { etcd } of this.#plane.machines) {
      try {
        const marked = await etcd.mark();
        const prefix = `/registry/configmaps/${this.#namespace}/`;
        this.#commits.push(...(await etcd.readLog(prefix, this.#marked, marked)));
        return (this.#marked = marked);
      } catch (error) {
        errors.push(error);
      }
    }
    throw new AggregateError(errors, "no member of etcd gave its log");
  };

  /** Waits until each API server takes a write and reads it. These are operations like all others. */
  async #heal(problems: string[]): Promise<number> {
    const began = now();
    await Promise.all(
      this.#sendersOf("healing").map(async (sender) => {
        for (let count = 0; ; count++) {
          const id = `healing-${sender.server}-${count}`;
          const content = { write: id, parity: "even" };
          const operation = await sender.perform(id, { verb: "apply", key: `healed-${sender.server}`, content });
          this.#operations.push(operation);
          if (operation.outcome.kind === "done") return;
          if (now() - began > healingMs)
            return void problems.push(
              `API server ${sender.server + 1} is not well after ${healingMs} ms: ${JSON.stringify(operation.outcome)}`,
            );
          await sleep(100);
        }
      }),
    );
    return now() - began;
  }

  /** Last reads by every API server, and every watcher to the end of the log. */
  async #endOfLog(problems: string[]): Promise<void> {
    const end = this.#sendersOf("end");
    const last = await end[0]!.perform("end-write", {
      verb: "apply",
      key: "end",
      content: { write: "end-write", parity: "even" },
    });
    const reads = await Promise.all(
      end.map((sender) => sender.perform(`end-${sender.server}`, { verb: "list", read: "newest" })),
    );
    this.#operations.push(last, ...reads);
    for (const { id, outcome } of [last, ...reads])
      if (outcome.kind !== "done" && outcome.kind !== "listed")
        problems.push(`${id} failed: ${JSON.stringify(outcome)}`);
    const target = last.outcome.kind === "done" ? (last.outcome.object?.revision ?? 0) : 0;
    const deadline = now() + catchUpMs;
    const behind = (): string[] => [...this.#reached].filter(([, at]) => at < target).map(([client]) => client);
    while (behind().length > 0 && now() < deadline) await sleep(20);
    for (const client of behind())
      problems.push(
        `${client} came to ${this.#reached.get(client)} and no further in ${catchUpMs} ms: ${target} is missing`,
      );
  }
}
