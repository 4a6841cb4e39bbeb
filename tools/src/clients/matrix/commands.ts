import { changeCommands } from "./change-commands.js";
import { clusterCommands } from "./cluster-commands.js";
import type { KubectlCommand } from "./kubectl-command.js";
import { makeCommands } from "./make-commands.js";
import { readCommands } from "./read-commands.js";

/** In this order: what makes objects, what reads them, what changes them, and the rest. All of them share one namespace, `scene`. */
export const commands: readonly KubectlCommand[] = [
  ...clusterCommands,
  ...makeCommands,
  ...readCommands,
  ...changeCommands,
];
