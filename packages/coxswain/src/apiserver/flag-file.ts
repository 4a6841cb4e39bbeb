import { readFileSync } from "node:fs";
import { FlagError, type FlagTable } from "@coxswain/component/flags";

/** Flags from a YAML file, as arguments; those in `given` are left out, since the command line comes first. @throws FlagError */
export async function readFlagFile(file: string, table: FlagTable, given: ReadonlySet<string>): Promise<string[]> {
  const { parseYaml } = await import("@coxswain/apimachinery/yaml");
  const { value, strictError } = parseYaml(readFileSync(file, "utf8"));
  if (strictError !== undefined) throw new FlagError(`${file}: ${strictError}`);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new FlagError(`${file} must have flags as members, such as "secure-port: 7443"`);
  return Object.entries(value).flatMap(([name, member]) => {
    if (!Object.hasOwn(table, name) || name === "config" || name === "help")
      throw new FlagError(`${file}: there is no flag ${name}`);
    return given.has(name) ? [] : texts(file, name, member).map((text) => `--${name}=${text}`);
  });
}

function texts(file: string, name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => texts(file, name, item));
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([key, member]) => `${key}=${String(member)}`);
  throw new FlagError(`${file}: ${name} must have a value`);
}
