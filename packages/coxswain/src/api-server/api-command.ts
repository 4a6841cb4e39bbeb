import { runCommandGroup } from "../project/run-command-group.js";
import type { ProjectPlace, Subcommand } from "../project/subcommand.js";
import { certificatesSubcommand } from "./certificates-command.js";
import { createKindSubcommand } from "./create-kind-command.js";
import { generateSubcommand } from "./generate-command.js";
import { initApiServer } from "./init-command.js";

export const subcommands: readonly Subcommand[] = [
  initApiServer,
  createKindSubcommand,
  generateSubcommand,
  certificatesSubcommand,
];

const api = {
  name: "api",
  summary: "Makes API servers for kinds of one's own with @coxswain/apiserver/library.",
  subcommands,
};

export const runApiCommand = (args: readonly string[], place?: ProjectPlace): Promise<number> =>
  runCommandGroup(api, args, place);
