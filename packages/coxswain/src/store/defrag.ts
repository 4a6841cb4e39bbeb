import { resolve } from "node:path";
import { withAccess } from "./open-access.js";
import { defragmentDirectory } from "./defragment-directory.js";
import { formatSize } from "./print.js";
import { storeDirectory } from "./store-paths.js";
import { defineSubcommand } from "./subcommand.js";

export const defragSubcommand = defineSubcommand({
  name: "defrag",
  takes: "",
  summary: "Gives room that is no longer used back to the disk.",
  description: "Gives room that is no longer used back to the disk, by writing the store's file anew. No server may run on it. A running server uses such room again, so its file does not grow without end; this is for a file that once was much fuller.",
  flags: {},
  words: { min: 0, max: 0 },
  async run({ target }) {
    // Opened first: that says what is wrong with a store that cannot be, and what cannot be done at all.
    await withAccess(target, async ({ store, pid }) => {
      const { engine } = await store.status();
      if (engine === "etcd") throw new Error("etcd is defragmented member by member, by its own tool: etcdctl defrag");
      if (engine === "memory") throw new Error(`the server with pid ${pid} keeps its data in memory: there is nothing to defragment`);
      if (pid !== undefined) throw new Error(`a server runs on ${resolve(target.dataDir)}, with pid ${pid}. It uses free room again by itself; to give it back to the disk, stop it first`);
    });
    const { before, after } = await defragmentDirectory(storeDirectory(resolve(target.dataDir)));
    process.stdout.write(`The store takes ${formatSize(after)} now, of ${formatSize(before)} before.\n`);
    return 0;
  },
});
