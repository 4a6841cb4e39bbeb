import { defineFlags, FlagError, formatHelp, nearest, parseFlags } from "@coxswain/component/flags";
import { buildSubcommand } from "./deliver/build-command.js";
import { bundleSubcommand } from "./deliver/bundle-command.js";
import { deploySubcommand } from "./deliver/deploy-command.js";
import { generateSubcommand } from "./generate-command.js";
import { importSubcommand } from "./import-command.js";
import type { OperatorSubcommand, ProjectPlace } from "./operator-subcommand.js";
import { runSubcommand } from "./run/run-command.js";
import { createApiSubcommand } from "./scaffold/create-api-command.js";
import { createWebhookSubcommand } from "./scaffold/create-webhook-command.js";
import { initSubcommand } from "./scaffold/init-command.js";
import { testSubcommand } from "./test-command.js";

export const subcommands: readonly OperatorSubcommand[] = [
  initSubcommand,
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

const usage = (): string => `Makes operators in TypeScript with @coxswain/operator.

Usage:
  coxswain operator COMMAND [flags]

Commands:
${subcommands.map(({ name, takes, summary }) => `  ${`${name} ${takes}`.padEnd(36)}${summary}`).join("\n")}

"coxswain operator COMMAND --help" shows what a command takes.
`;

const helpFlag = defineFlags({ help: { group: "Help", type: "boolean", help: "Show this text." } });

const here = (): ProjectPlace => ({
  directory: process.cwd(),
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
});

export async function runOperatorCommand(args: readonly string[], place: ProjectPlace = here()): Promise<number> {
  const [name] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    place.print(usage().trimEnd());
    return name === undefined ? 2 : 0;
  }
  const subcommand = subcommands.find((candidate) =>
    candidate.name.split(" ").every((word, index) => args[index] === word),
  );
  if (!subcommand) throw noSuchCommand(args);
  const flags = defineFlags({ ...subcommand.flags, ...helpFlag });
  const parsed = parseFlags(flags, args.slice(subcommand.name.split(" ").length));
  const { takes, description, maxWords } = subcommand;
  const usageOf = `coxswain operator ${subcommand.name}${takes ? ` ${takes}` : ""} [flags]`;
  if (parsed.kind === "help") {
    place.print(formatHelp(flags, { usage: usageOf, description }).trimEnd());
    return 0;
  }
  if (parsed.rest.length > maxWords)
    throw new FlagError(`${subcommand.name} does not take ${JSON.stringify(parsed.rest[maxWords])}. Usage: ${usageOf}`);
  return subcommand.run({ ...place, options: parsed.options, words: parsed.rest });
}

function noSuchCommand(args: readonly string[]): FlagError {
  const names = subcommands.map(({ name }) => name);
  const words = args.slice(0, args[0] === "create" ? 2 : 1).join(" ");
  const meant = nearest(words, names) ?? nearest(args.slice(0, 2).join(" "), names);
  return new FlagError(
    `there is no "coxswain operator ${words}". ${meant ? `Did you mean ${meant}?` : 'Try "coxswain operator help".'}`,
  );
}
