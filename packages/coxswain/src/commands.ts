import { apiserverCommand } from "./apiserver-command.js";
import type { Command } from "./command.js";
import { storeCommand } from "./store/store-command.js";

export const commands: Readonly<Record<string, Command>> = { apiserver: apiserverCommand, store: storeCommand };
