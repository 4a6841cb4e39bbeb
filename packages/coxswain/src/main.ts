import { FlagError } from "@coxswain/component/flags";
import { suggestCommand } from "./command/suggest-command.js";
import { commands, internalCommands } from "./commands.js";

const usage = (): string => `coxswain: a Kubernetes in one process.

Usage: coxswain COMMAND [flags]

Commands:
${Object.values(commands)
  .map(({ name, summary }) => `  ${name.padEnd(20)}${summary}`)
  .join("\n")}

"coxswain COMMAND --help" shows what a command takes.
`;

/** Runs the command that the words name, and answers its exit code: 2 for words that make no sense. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args[0] === "--version" ? ["version"] : args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(usage());
    return name === undefined ? 2 : 0;
  }
  const known = Object.hasOwn(commands, name) ? commands : internalCommands;
  const command = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!command) {
    const words = args.map((word) => word.slice(0, 40)); // of a line that may be anything
    const hint = suggestCommand(words, Object.keys(commands));
    process.stderr.write(`coxswain: no command is called ${JSON.stringify(words[0])}. ${hint}\n`);
    return 2;
  }
  try {
    return await command.run(rest);
  } catch (err) {
    if (!(err instanceof FlagError)) throw err;
    process.stderr.write(`coxswain ${name}: ${err.message}\n`);
    return 2;
  }
}
