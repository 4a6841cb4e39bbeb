import { hostname } from "node:os";
import { join } from "node:path";
import { createReloadMetrics, type HealthCheck } from "@coxswain/apiserver";
import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import type { CompactionOptions } from "@coxswain/storage/local";
import type { Engine, EtcdEngine } from "./engine-flags.js";
import { rootedStore } from "./rooted-store.js";

/** Where the server's keys begin, whatever etcd's prefix is. */
const registryRoot = "/registry/";

export interface OpenStoreOptions {
  readonly engine: Engine;
  readonly dataDir: string;
  /** A file with an EncryptionConfiguration. @default values are kept as they are */
  readonly encryptionProviderConfig?: string | undefined;
  /** Whether changes of that file take effect while the server runs. */
  readonly reloadEncryption?: boolean;
  /** How much of its own history an embedded store keeps: what watches resume from. @default five minutes, 256 MiB */
  readonly compaction?: CompactionOptions;
  readonly runtime: Runtime;
}

export interface OpenedStore {
  readonly store: KeyValueStore;
  /** The same, with values as they are kept: encrypted where that was asked for. */
  readonly kept: KeyValueStore;
  /** What the server's health depends on beside the engine. */
  readonly healthChecks: readonly HealthCheck[];
  /** Rejects when the disk has failed: reads go on, nothing is written any more. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** Opens the engine that was chosen; only that one is loaded. */
export async function openStore({
  engine,
  dataDir,
  encryptionProviderConfig,
  reloadEncryption = false,
  compaction = {},
  runtime,
}: OpenStoreOptions): Promise<OpenedStore> {
  let fail: (err: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // a caller may never wait for it
  const inner = await openEngine(engine, { dataDir, runtime, compaction, onFailed: fail });
  const root = rootOf(engine);
  const seen = (store: KeyValueStore): KeyValueStore =>
    root === registryRoot ? store : rootedStore(store, { root, seenAs: registryRoot });
  if (encryptionProviderConfig === undefined)
    return { store: seen(inner), kept: seen(inner), healthChecks: [], failed, close: () => inner.close() };
  const { openEncryption } = await import("./open-encryption.js");
  try {
    // Below the root: a value is tied to its key as etcd has it, as upstream ties it (k8s.io/apiserver/pkg/storage/etcd3/store.go, authenticatedDataString).
    const encryption = await openEncryption(encryptionProviderConfig, inner, {
      root,
      runtime,
      metrics: createReloadMetrics("encryption", { ...runtime, hostname: hostname() }),
      reload: reloadEncryption,
    });
    const close = async (): Promise<void> => {
      await encryption.store.close();
      await encryption.close();
    };
    return { store: seen(encryption.store), kept: seen(inner), healthChecks: encryption.healthChecks, failed, close };
  } catch (err) {
    await inner.close();
    throw err;
  }
}

interface EngineSurroundings extends Pick<OpenStoreOptions, "dataDir" | "runtime"> {
  readonly compaction: CompactionOptions;
  onFailed(err: Error): void;
}

async function openEngine(
  engine: Engine,
  { dataDir, runtime, compaction, onFailed }: EngineSurroundings,
): Promise<KeyValueStore> {
  switch (engine.name) {
    case "memory": {
      const { createMemoryStore } = await import("@coxswain/storage/memory");
      return createMemoryStore({ runtime, compaction });
    }
    case "lmdb": {
      const { openLmdbStore } = await import("@coxswain/storage/lmdb");
      return openLmdbStore({ directory: join(dataDir, "store"), runtime, compaction, onFailed });
    }
    case "etcd":
      return connectEtcd(engine, runtime);
  }
}

/** An etcd cluster for who looks after it: seen as `/registry/`, and nothing but what is below its prefix. It may serve others too. */
export async function openEtcd(engine: EtcdEngine, runtime: Runtime): Promise<KeyValueStore> {
  return rootedStore(await connectEtcd({ ...engine, compactionIntervalMs: 0 }, runtime), {
    root: rootOf(engine),
    seenAs: registryRoot,
  });
}

async function connectEtcd(
  { servers, tls, user, compactionIntervalMs, ...engine }: EtcdEngine,
  runtime: Runtime,
): Promise<KeyValueStore> {
  const { openEtcdStore } = await import("@coxswain/storage/etcd");
  const secure = servers.some((server) => server.startsWith("https:"));
  return openEtcdStore({
    endpoints: servers,
    ...(secure && { tls }),
    ...(user && { user }),
    prefix: rootOf(engine),
    runtime,
    compactionIntervalMs,
  });
}

const rootOf = (
  engine: { readonly name: "lmdb" | "memory" } | { readonly name: "etcd"; readonly prefix: string },
): string => (engine.name !== "etcd" ? registryRoot : engine.prefix === "/" ? "/" : `${engine.prefix}/`);
