import { withAccess } from "./open-access.js";
import { formatSize } from "./print.js";
import { defineSubcommand } from "./subcommand.js";

export const defragSubcommand = defineSubcommand({
  name: "defrag",
  takes: "",
  summary: "Gives room that is no longer used back to the disk.",
  description:
    "Gives room that is no longer used back to the disk, by writing the store's file anew. It needs room for a second copy meanwhile. A server that runs goes on serving; only its writers wait for the last of it. It uses free room again by itself, so its file does not grow without end; this is for a file that once was much fuller.",
  flags: {},
  words: { min: 0, max: 0 },
  run: ({ target }) =>
    withAccess(target, async ({ store, pid }) => {
      const { engine } = await store.status();
      if (engine === "etcd") throw new Error("etcd is defragmented member by member, by its own tool: etcdctl defrag");
      if (engine === "memory" || !store.defragment)
        throw new Error(`the server with pid ${pid} keeps its data in memory: there is nothing to defragment`);
      const { beforeBytes, afterBytes } = await store.defragment();
      process.stdout.write(`The store takes ${formatSize(afterBytes)} now, of ${formatSize(beforeBytes)} before.\n`);
      return 0;
    }),
});
