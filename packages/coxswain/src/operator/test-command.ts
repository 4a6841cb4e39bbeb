import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { defineFlags } from "@coxswain/component/flags";
import type { ProjectPlace } from "../project/subcommand.js";
import { generateAndCheck } from "./generate-and-check.js";
import { defineProjectSubcommand } from "./project-subcommand.js";

export const testSubcommand = defineProjectSubcommand({
  name: "test",
  takes: "[FILE… | -- FLAGS OF VITEST]",
  summary: "Generates, checks types and runs the tests.",
  description:
    "Generates the manifests, which tests read, checks types, and runs the project's tests with vitest. Words go to vitest: parts of file names, and flags behind --.",
  flags: defineFlags({
    "type-check": {
      group: "Test",
      type: "boolean",
      default: true,
      help: "Fail if types are wrong. Use --type-check=false for the tests alone.",
    },
  }),
  maxWords: Number.POSITIVE_INFINITY,
  async run({ options, words, ...place }) {
    const code = await generateAndCheck(place, options);
    return code === 0 ? runVitest(place, words) : code;
  },
});

async function runVitest({ directory, print, printError }: ProjectPlace, words: readonly string[]): Promise<number> {
  let program: string;
  try {
    const required = createRequire(join(directory, "package.json"));
    program = join(dirname(required.resolve("vitest/package.json")), "vitest.mjs");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    printError(`vitest is not installed in ${directory}: run "npm install"`);
    return 1;
  }
  const child = spawn(process.execPath, [program, "run", ...words], {
    cwd: directory,
    stdio: ["inherit", "pipe", "pipe"],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: "1" }) },
  });
  createInterface({ input: child.stdout }).on("line", print);
  createInterface({ input: child.stderr }).on("line", printError);
  const [code] = (await once(child, "close")) as [number | null];
  return code ?? 1;
}
