import { resolve } from "node:path";
import { FlagError } from "@coxswain/component/flags";
import { offerEtcd } from "./offer-etcd.js";
import { findServer, storeRuntime } from "./open-access.js";
import { etcdServingFrom, serveEtcdFlags } from "./serve-etcd-flags.js";
import { storeDirectory } from "./store-paths.js";
import { defineSubcommand } from "./subcommand.js";

export const serveSubcommand = defineSubcommand({
  name: "serve",
  takes: "",
  summary: "Serves the embedded store by etcd's protocol.",
  description:
    "Serves the embedded store of a data directory by etcd's protocol until it is ended: to etcdctl, to curl, and to several API servers of this machine (--etcd-servers). The store is made if there is none. Who connects reads and writes everything. A server that runs serves its own store with --serve-etcd.",
  flags: serveEtcdFlags,
  words: { min: 0, max: 0 },
  async run({ options, given, target, signal }) {
    if (target.engine.name === "etcd") throw new FlagError("that store is an etcd already");
    const serving = etcdServingFrom(options, given);
    if (!serving) throw new FlagError("serve needs --serve-etcd unix:///path/to/socket or https://127.0.0.1:2379");
    const dataDir = resolve(target.dataDir);
    const server = await findServer(target);
    if (server) {
      await server.close();
      throw new Error(
        `a server runs on ${dataDir}, with pid ${server.pid}. Stop it first, or start it with --serve-etcd`,
      );
    }
    const { openLmdbStore } = await import("@coxswain/storage/lmdb");
    let fail: (error: Error) => void = () => {};
    const failed = new Promise<Error>((resolveFailed) => (fail = resolveFailed));
    const store = await openLmdbStore({
      directory: storeDirectory(dataDir),
      runtime: storeRuntime,
      compaction: "off", // as etcd's: its clients compact
      onFailed: fail,
    });
    try {
      const offered = await offerEtcd({ store, serving, dataDir, runtime: storeRuntime });
      process.stdout.write(`Serving the store of ${dataDir}:\n  etcdctl ${offered.flags.join(" ")}\n`);
      const ended = new Promise<undefined>((done) =>
        signal.addEventListener("abort", () => done(undefined), { once: true }),
      );
      const failure = await Promise.race([failed, ended]);
      await offered.stop();
      if (failure) process.stderr.write(`coxswain store serve: the store failed: ${failure.message}\n`);
      return failure ? 1 : 0;
    } finally {
      await store.close();
    }
  },
});
