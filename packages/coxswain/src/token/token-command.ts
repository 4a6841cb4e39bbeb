import { FlagError, nearest } from "@coxswain/component/flags";
import type { Command } from "../command/command.js";
import { clusterCommandFlags, showHelp } from "../up/cluster-command.js";

const subcommands: Readonly<Record<string, { readonly summary: string; load(): Promise<Command["run"]> }>> = {
  create: {
    summary: "makes a token and prints the command by which a machine joins",
    load: async () => (await import("./create-token.js")).runTokenCreate,
  },
  list: { summary: "lists tokens", load: async () => (await import("./list-tokens.js")).runTokenList },
  delete: {
    summary: "deletes tokens, by themselves or by their first six characters",
    load: async () => (await import("./delete-token.js")).runTokenDelete,
  },
};

const description = `Tokens with which machines join a cluster: coxswain token COMMAND

${Object.entries(subcommands)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join("\n")}`;

export async function runToken(args: readonly string[]): Promise<number> {
  const [name = "", ...rest] = args;
  const found = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (found) return (await found.load())(rest);
  if (name === "" || name === "--help" || name === "-h")
    return showHelp("token COMMAND", description, { help: clusterCommandFlags.help } as never);
  const meant = nearest(name, Object.keys(subcommands));
  throw new FlagError(
    `there is no "coxswain token ${name}". ${meant ? `Did you mean ${meant}?` : 'Try "coxswain token --help".'}`,
  );
}
