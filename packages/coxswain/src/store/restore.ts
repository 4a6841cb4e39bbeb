import { resolve } from "node:path";
import { systemClock } from "@coxswain/runtime/clock";
import { restoreInto } from "@coxswain/storage/backup";
import type { EtcdEngine } from "../engine/engine-flags.js";
import { openEtcd } from "../engine/open-store.js";
import { findServer, storeRuntime } from "./open-access.js";
import { createProgress, type Progress } from "./progress.js";
import { restoreDirectory } from "./restore-directory.js";
import { storeDirectory } from "./store-paths.js";
import { defineSubcommand } from "./subcommand.js";

export const restoreSubcommand = defineSubcommand({
  name: "restore",
  takes: "FILE",
  summary: "Puts a backup in the place of what the store holds.",
  description:
    "Puts a backup in the place of what the store holds. No server may run on it. What was there before is kept in a file beside it, which is named at the end. With --storage etcd the keys below --etcd-prefix become those of the backup by ordinary writes; stop all servers of that etcd first.",
  flags: {},
  words: { min: 1, max: 1 },
  async run({ target, words, signal }) {
    const file = resolve(words[0]!);
    const server = await findServer(target);
    if (server) {
      await server.close();
      throw new Error(
        `a server runs on ${resolve(target.dataDir)}, with pid ${server.pid}. Stop it first: nothing was changed`,
      );
    }
    const progress = createProgress("Restoring");
    try {
      await (target.engine.name === "etcd"
        ? intoEtcd(target.engine, file, { progress, signal })
        : intoDirectory(resolve(target.dataDir), file, progress));
      return 0;
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "ENOENT" && (err as NodeJS.ErrnoException).path === file)
        throw new Error(`there is no file ${file}`, { cause: err });
      if ((err as NodeJS.ErrnoException).code === "EISDIR")
        throw new Error(`${file} is a directory, not a backup`, { cause: err });
      throw err;
    } finally {
      progress.end();
    }
  },
});

async function intoDirectory(dataDir: string, file: string, progress: Progress): Promise<void> {
  const { revision, keys, kept } = await restoreDirectory({
    directory: storeDirectory(dataDir),
    file,
    clock: systemClock,
    onProgress: progress.show,
  });
  progress.end();
  process.stdout.write(`Restored ${keys} keys at revision ${revision} into ${dataDir}.\n`);
  if (kept !== undefined)
    process.stdout.write(`What was there before is kept in ${kept}; remove it when you no longer need it.\n`);
}

async function intoEtcd(
  engine: EtcdEngine,
  file: string,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<void> {
  const store = await openEtcd(engine, storeRuntime);
  try {
    const { revision, written, deleted } = await restoreInto(store, { file, signal, onProgress: progress.show });
    progress.end();
    process.stdout.write(
      `Restored into etcd below ${engine.prefix}: ${written} keys written, ${deleted} deleted; etcd is at revision ${revision}.\n`,
    );
  } finally {
    await store.close();
  }
}
