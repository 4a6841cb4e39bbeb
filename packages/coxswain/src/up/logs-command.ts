import { createReadStream, existsSync, statSync, watch } from "node:fs";
import { defineFlags, parseOnlyFlags } from "@coxswain/component/flags";
import { untilSignal } from "../command/until-signal.js";
import { clusterCommandFlags, showHelp } from "./cluster-command.js";
import { clusterFolder } from "./cluster-home.js";
import { logFile } from "./cluster-state.js";
import { checkFolder } from "./trusted-folder.js";

const logsFlags = defineFlags({
  ...clusterCommandFlags,
  follow: { group: "Cluster", type: "boolean", short: "f", help: "Go on as the log grows, until Ctrl-C." },
});

export async function runLogs(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(logsFlags, args);
  if (parsed.kind === "help")
    return showHelp("logs", "Shows what a cluster started with --detach has logged.", logsFlags);
  const folder = clusterFolder(parsed.options);
  checkFolder(folder);
  const file = logFile(folder);
  if (!existsSync(file)) {
    process.stderr.write(`there is no log: no cluster was started with --detach in ${folder}\n`);
    return 1;
  }
  let shown = await show(file, 0);
  if (!parsed.options.follow) return 0;
  let showing = Promise.resolve();
  const watcher = watch(file, () => {
    showing = showing.then(async () => {
      shown = await show(file, shown);
    });
  });
  await untilSignal();
  watcher.close();
  return 0;
}

/** Prints the file from an offset on. Answers where it ended; a file that became shorter was begun anew. */
async function show(file: string, from: number): Promise<number> {
  const { size } = statSync(file);
  const start = size < from ? 0 : from;
  if (size === start) return size;
  for await (const chunk of createReadStream(file, { start, end: size - 1 })) process.stdout.write(chunk as Buffer);
  return size;
}
