import { defineFlags, FlagError } from "@coxswain/component/flags";

/** How a command prints what it found: for people, or for programs. */
export const outputFlags = defineFlags({
  output: { group: "Output", type: "string", short: "o", value: "json", help: "Print JSON, for programs." },
});

/** @throws FlagError for a form that there is not */
export function isJsonWanted({ output }: { readonly output?: string | undefined }): boolean {
  if (output === undefined || output === "") return false;
  if (output !== "json") throw new FlagError(`--output must be json, not ${JSON.stringify(output)}`);
  return true;
}

export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
