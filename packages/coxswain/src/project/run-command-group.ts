import { defineFlags, FlagError, formatHelp, nearest, parseFlags } from "@coxswain/component/flags";
import type { ProjectPlace, Subcommand } from "./subcommand.js";

/** A command that consists of others: `coxswain operator`. */
export interface CommandGroup {
  /** `operator` */
  readonly name: string;
  /** A sentence. */
  readonly summary: string;
  readonly subcommands: readonly Subcommand[];
}

const helpFlag = defineFlags({ help: { group: "Help", type: "boolean", help: "Show this text." } });

const here = (): ProjectPlace => ({
  directory: process.cwd(),
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
});

/** Runs the subcommand that the first words name. The number is the exit code. @throws FlagError */
export async function runCommandGroup(
  group: CommandGroup,
  args: readonly string[],
  place: ProjectPlace = here(),
): Promise<number> {
  const [name] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    place.print(usage(group).trimEnd());
    return name === undefined ? 2 : 0;
  }
  const subcommand = group.subcommands.find((candidate) =>
    candidate.name.split(" ").every((word, index) => args[index] === word),
  );
  if (!subcommand) throw noSuchCommand(group, args);
  const flags = defineFlags({ ...subcommand.flags, ...helpFlag });
  const parsed = parseFlags(flags, args.slice(subcommand.name.split(" ").length));
  const { takes, description, maxWords } = subcommand;
  const usageOf = `coxswain ${group.name} ${subcommand.name}${takes ? ` ${takes}` : ""} [flags]`;
  if (parsed.kind === "help") {
    place.print(formatHelp(flags, { usage: usageOf, description }).trimEnd());
    return 0;
  }
  if (parsed.rest.length > maxWords)
    throw new FlagError(`${subcommand.name} does not take ${JSON.stringify(parsed.rest[maxWords])}. Usage: ${usageOf}`);
  return subcommand.run({ ...place, options: parsed.options, words: parsed.rest });
}

const usage = ({ name: group, summary, subcommands }: CommandGroup): string => `${summary}

Usage:
  coxswain ${group} COMMAND [flags]

Commands:
${subcommands.map(({ name, takes, summary: line }) => `  ${`${name} ${takes}`.padEnd(36)}${line}`).join("\n")}

"coxswain ${group} COMMAND --help" shows what a command takes.
`;

function noSuchCommand({ name: group, subcommands }: CommandGroup, args: readonly string[]): FlagError {
  const names = subcommands.map(({ name }) => name);
  const words = args.slice(0, args[0] === "create" ? 2 : 1).join(" ");
  const meant = nearest(words, names) ?? nearest(args.slice(0, 2).join(" "), names);
  return new FlagError(
    `there is no "coxswain ${group} ${words}". ${meant ? `Did you mean ${meant}?` : `Try "coxswain ${group} help".`}`,
  );
}
