import { runCommandGroup } from "../project/run-command-group.js";
import type { ProjectPlace, Subcommand } from "../project/subcommand.js";
import { buildSubcommand } from "./deliver/build-command.js";
import { bundleSubcommand } from "./deliver/bundle-command.js";
import { deploySubcommand } from "./deliver/deploy-command.js";
import { generateSubcommand } from "./generate-command.js";
import { importSubcommand } from "./import-command.js";
import { runSubcommand } from "./run/run-command.js";
import { createApiSubcommand } from "./scaffold/create-api-command.js";
import { createWebhookSubcommand } from "./scaffold/create-webhook-command.js";
import { initOperator } from "./scaffold/init-command.js";
import { testSubcommand } from "./test-command.js";

export const subcommands: readonly Subcommand[] = [
  initOperator,
  createApiSubcommand,
  createWebhookSubcommand,
  generateSubcommand,
  testSubcommand,
  runSubcommand,
  buildSubcommand,
  bundleSubcommand,
  deploySubcommand,
  importSubcommand,
];

const operator = {
  name: "operator",
  summary: "Makes operators in TypeScript with @coxswain/operator.",
  subcommands,
};

export const runOperatorCommand = (args: readonly string[], place?: ProjectPlace): Promise<number> =>
  runCommandGroup(operator, args, place);
