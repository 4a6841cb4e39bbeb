import type { ClusterAccess } from "../../upstream/kubeconfig.js";
import { type LoadConnection, openConnection, type PreparedRequest, prepareRequest } from "../load/connection.js";
import { countLines } from "../load/watch.js";
import { configMap } from "../workload.js";

export interface SoakOptions {
  readonly access: ClusterAccess;
  /** An existing one. */
  readonly namespace: string;
  /** Watches that stay open and see nothing. */
  readonly watchers: number;
  /** Each replaces an object of its own, over and over, on a connection of its own. */
  readonly writers: number;
}

export interface SoakWork {
  readonly writes: number;
  readonly seconds: number;
}

/** Watches and writers on one server. What goes wrong with any of them fails the next call. */
export interface Soak {
  /** How long the watches took to open, in milliseconds. */
  readonly openMs: number;
  /** Lets the writers write until `isEnough` returns true after a write. */
  work(isEnough: (writes: number) => boolean): Promise<SoakWork>;
  /** Makes an object that every watch selects; resolves with how many have seen it when all have, or when `deadline` resolves. */
  wake(deadline: Promise<unknown>): Promise<number>;
  close(): void;
}

/** Streams of one connection; servers allow at least 100. */
const watchesEach = 100;
const selector = "soak%3Dwake";

export async function startSoak({ access, namespace, watchers, writers }: SoakOptions): Promise<Soak> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const connections: LoadConnection[] = [];
  const connect = async (): Promise<LoadConnection> => {
    const connection = await openConnection(access);
    connections.push(connection);
    return connection;
  };
  let failure: string | undefined;
  const check = (): void => {
    if (failure !== undefined) throw new Error(failure);
  };

  let heads = 0;
  let awake = 0;
  let onProgress = (): void => {};
  const watch = prepareRequest(access, {
    method: "GET",
    path: `${path}?watch=true&labelSelector=${selector}&allowWatchBookmarks=false`,
  });
  const began = performance.now();
  for (let opened = 0; opened < watchers; opened += watchesEach) {
    const connection = await connect();
    for (let i = opened; i < Math.min(watchers, opened + watchesEach); i++) {
      connection.send(watch, {
        head(status) {
          if (status !== 200) failure ??= `a watch was answered with ${status}`;
          heads++;
          onProgress();
        },
        data(part) {
          awake += countLines(part);
          onProgress();
        },
        end(why) {
          failure ??= `a watch ended: ${why ?? "the server closed it"}`;
          onProgress();
        },
      });
    }
  }
  await until(() => heads === watchers);
  const openMs = performance.now() - began;

  function until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      onProgress = () => {
        if (failure !== undefined) reject(new Error(failure));
        else if (isDone()) resolve();
      };
      onProgress();
    });
  }

  const ask = (connection: LoadConnection, request: PreparedRequest, expected: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let status = 0;
      connection.send(request, {
        head: (code) => void (status = code),
        end: (why) =>
          why === undefined && status === expected
            ? resolve()
            : reject(new Error(`a write was answered with ${status}: ${why ?? ""}`)),
      });
    });

  // Two bodies in turn, so that every write is one.
  const makeWriter = async (number: number): Promise<{ connection: LoadConnection; bodies: PreparedRequest[] }> => {
    const name = `writer-${number}`;
    const connection = await connect();
    await ask(connection, prepareRequest(access, { method: "POST", path, body: configMap({ name }) }), 201);
    const bodies = ["odd", "even"].map((turn) =>
      prepareRequest(access, { method: "PUT", path: `${path}/${name}`, body: configMap({ name, labels: { turn } }) }),
    );
    return { connection, bodies };
  };
  const writing = await Promise.all(Array.from({ length: writers }, (_, number) => makeWriter(number)));

  return {
    openMs,
    async work(isEnough) {
      check();
      const start = performance.now();
      let writes = 0;
      let isOver = false;
      const goesOn = (): boolean => !isOver && failure === undefined;
      await Promise.all(
        writing.map(async ({ connection, bodies }) => {
          for (let turn = 0; goesOn(); turn = 1 - turn) {
            await ask(connection, bodies[turn]!, 200);
            isOver ||= isEnough(++writes);
          }
        }),
      );
      check();
      return { writes, seconds: (performance.now() - start) / 1000 };
    },
    async wake(deadline) {
      check();
      awake = 0;
      const seen = until(() => awake >= watchers);
      await ask(
        writing[0]!.connection,
        prepareRequest(access, { method: "POST", path, body: configMap({ labels: { soak: "wake" } }) }),
        201,
      );
      await Promise.race([seen, deadline]);
      check();
      return awake;
    },
    close() {
      onProgress = () => {};
      for (const connection of connections) connection.close();
    },
  };
}
