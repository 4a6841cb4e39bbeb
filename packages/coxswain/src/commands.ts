import { apiserverCommand } from "./apiserver-command.js";
import type { Command } from "./command.js";

/** Loaded when it is called, so that the others start without it. */
const lazy = (facts: Pick<Command, "name" | "summary">, load: () => Promise<Command>): Command => ({
  ...facts,
  run: async (args) => (await load()).run(args),
});

const all: readonly Command[] = [
  apiserverCommand,
  lazy(
    { name: "controller-manager", summary: "Runs the controllers against any cluster, in the foreground." },
    async () => (await import("./controller-manager/controller-manager-command.js")).controllerManagerCommand,
  ),
  lazy(
    { name: "store", summary: "Backs up, restores and inspects the store." },
    async () => (await import("./store/store-command.js")).storeCommand,
  ),
];

export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  all.map((command) => [command.name, command]),
);
