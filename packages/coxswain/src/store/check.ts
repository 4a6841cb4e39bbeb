import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { StoreCheck, StoreDamage } from "@coxswain/storage/lmdb";
import { findServer } from "./open-access.js";
import { printJson } from "./print.js";
import { outputFlag } from "./status.js";
import { storeDirectory } from "./store-paths.js";
import { defineSubcommand } from "./subcommand.js";

export const checkSubcommand = defineSubcommand({
  name: "check",
  takes: "",
  summary: "Reads all of the embedded store and names what is damaged.",
  description:
    "Reads all of the embedded store and compares it with its checksums and counts: every page of data.mdb, every value, every block of the index, and the write-ahead log. Names the file, the key and the revision of all that is damaged, and ends with 1 if anything is. It changes nothing. No server may run on the store; of one that must go on make a backup, which reads every value and fails on one that is damaged.",
  flags: outputFlag,
  words: { min: 0, max: 0 },
  async run({ options, target }) {
    if (target.engine.name === "etcd") throw new Error("etcd has checksums and checks of its own: etcdctl check");
    const server = await findServer(target);
    if (server) {
      await server.close();
      throw new Error(`a server runs on ${resolve(target.dataDir)}, with pid ${server.pid}. Stop it first`);
    }
    const directory = storeDirectory(resolve(target.dataDir));
    if (!existsSync(directory)) throw new Error(`there is no store in ${resolve(target.dataDir)}`);
    const { checkLmdbDirectory } = await import("@coxswain/storage/lmdb");
    const check = await checkLmdbDirectory(directory);
    if (options.output === "json") printJson(check);
    else process.stdout.write(textOf(check));
    return check.damage.length === 0 ? 0 : 1;
  },
});

function textOf({ damage, notes, revision, keys, changes, blocks, commits }: StoreCheck): string {
  const read = `Read ${changes} changes, ${blocks} blocks of the index and ${commits} commits of the write-ahead log.`;
  const result =
    damage.length === 0
      ? `Nothing is damaged: ${keys} keys at revision ${revision}.`
      : `${damage.length === 1 ? "1 thing is" : `${damage.length} things are`} damaged. Restore a backup, or replace or delete the objects that are named.`;
  return `${[...damage.map(lineOf), ...notes.map(capitalized), read, result].join("\n")}\n`;
}

/** `data.mdb: /registry/pods/default/web at revision 12: the value is not as it was written` */
function lineOf({ file, what, key, revision }: StoreDamage): string {
  const where = [key, revision === undefined ? undefined : `${key === undefined ? "" : "at "}revision ${revision}`]
    .filter((part) => part !== undefined)
    .join(" ");
  return `${file}: ${where === "" ? "" : `${where}: `}${what}`;
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
