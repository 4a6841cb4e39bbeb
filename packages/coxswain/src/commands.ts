import { apiserverCommand } from "./apiserver-command.js";
import type { Command } from "./command.js";

export const commands: Readonly<Record<string, Command>> = { apiserver: apiserverCommand };
