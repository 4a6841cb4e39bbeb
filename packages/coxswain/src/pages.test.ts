import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type CoxswainProcess,
  findKubectl,
  kubectlMinors,
  ownLauncher,
  removeDataDir,
  runProgram,
  startCoxswain,
} from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import {
  blockTable,
  commandsOf,
  coxswainCalls,
  type DecidedBlock,
  decide,
  packageBlocks,
  readBlocks,
} from "@coxswain/tools/pages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const workspace = fileURLToPath(new URL("../../../", import.meta.url));
const pages = [
  "README.md",
  ...readdirSync(join(workspace, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...Object.keys(packageBlocks).map((name) => `packages/${name}/README.md`),
];
const table = {
  ...blockTable,
  ...Object.fromEntries(Object.entries(packageBlocks).map(([name, rows]) => [`packages/${name}/README.md`, rows])),
};
const { decided, problems } = decide(
  pages.flatMap((page) => readBlocks(page, readFileSync(join(workspace, page), "utf8"))),
  table,
);
type Kind = DecidedBlock["decision"]["do"];
type Of<K extends Kind> = DecidedBlock & { readonly decision: Extract<DecidedBlock["decision"], { do: K }> };
const all = <K extends Kind>(kind: K): Of<K>[] => decided.filter((block): block is Of<K> => block.decision.do === kind);
const place = ({ page, line }: DecidedBlock): string => `${page}:${line}`;
const replaced = (text: string, replace: Readonly<Record<string, string>> = {}): string =>
  Object.entries(replace).reduce((result, [from, to]) => result.replaceAll(from, to), text);
const coxswain = (args: readonly string[], input?: string) =>
  runProgram(process.execPath, [ownLauncher, ...args], input === undefined ? {} : { input });

describe("code in READMEs and docs", { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-pages-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("every block has a decision, and every decision a block", () => expect(problems).toEqual([]));

  it("tests that are named as typing to type a block are there", () =>
    expect(
      all("see")
        .filter(({ decision }) => !existsSync(join(workspace, decision.test)))
        .map(place),
    ).toEqual([]));

  it("TypeScript compiles under strict", async () => {
    symlinkSync(join(workspace, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "api/v1alpha1"), { recursive: true });
    mkdirSync(join(folder, "blocks"));
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["blocks"] }));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "api/v1alpha1/resources.ts"),
      'import { type CustomResource, defineResource } from "@coxswain/operator";\nexport const videos = defineResource<CustomResource<object, object>>({ group: "a", version: "v1", kind: "V", resource: "vs", scope: "Namespaced" });\n',
    );
    for (const block of all("check types"))
      writeFileSync(
        join(folder, "blocks", `${place(block).replace(/\W/g, "-")}.ts`),
        `${block.decision.before ?? ""}${block.text}`,
      );
    const tsc = join(workspace, "node_modules/typescript/bin/tsc");
    const { stdout } = await runProgram(process.execPath, [tsc, "--pretty", "false"], { cwd: folder });
    expect(stdout).toBe("");
  });

  for (const block of all("check objects"))
    it(`objects are valid: ${place(block)}`, async () => {
      const result = await coxswain(["check", "-"], replaced(block.text, block.decision.replace));
      expect(result).toMatchObject({ code: 0 });
    });

  for (const block of all("start with"))
    it(`the API server starts with it: ${place(block)}`, async () => {
      const own = mkdtempSync(join(folder, "start-"));
      for (const [name, text] of Object.entries(block.decision.files ?? {})) writeFileSync(join(own, name), text);
      const text = replaced(block.text, block.decision.replace).replaceAll(
        "kubeConfigFile: ",
        `kubeConfigFile: ${own}/`,
      );
      writeFileSync(join(own, "config.yaml"), text);
      const args = [block.decision.flag, join(own, "config.yaml"), "--storage", "memory"];
      const server = await startCoxswain({ args });
      await server.stop();
      removeDataDir(server);
    });

  it("commands and flags are those of the command", async () => {
    const blocks = decided.filter(
      ({ decision: { do: kind } }) => kind === "check flags" || kind === "type" || kind === "see",
    );
    const calls = blocks
      .flatMap((block) => commandsOf(block).flatMap(coxswainCalls))
      .filter(({ words }) => words[0] !== "kubectl"); // another program's
    const byCommand = new Map<string, Set<string>>();
    for (const { words, flags } of calls) {
      const known = byCommand.get(words.join(" ")) ?? new Set();
      byCommand.set(words.join(" "), known);
      for (const flag of flags) if (flag !== "--help") known.add(flag); // which every command has
    }
    const unknown: string[] = [];
    for (const [words, flags] of byCommand) {
      const { code, stdout } = await coxswain([...words.split(" "), "--help"]);
      if (code !== 0) unknown.push(words);
      for (const flag of flags)
        if (!stdout.includes(`${flag} `) && !stdout.includes(`${flag}\n`) && !stdout.includes(`${flag},`))
          unknown.push(`${words} ${flag}`);
    }
    expect(unknown).toEqual([]);
  });
});

const kubectl = findKubectl(kubectlMinors().at(-1) ?? "");
describeWith("commands in README and docs", { found: kubectl, missing: "kubectl", timeout: 300_000 }, (found) => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-typed-"));
  let cluster: CoxswainProcess;
  beforeAll(async () => {
    cluster = await startCoxswain({ command: "up", dataDir: join(folder, ".coxswain") });
    // A server's data that nobody uses, for the commands of stores.
    const other = await startCoxswain({ dataDir: join(folder, "data") });
    await other.stop();
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "backups"));
    symlinkSync(found, join(folder, "bin/kubectl"));
    writeFileSync(join(folder, "bin/coxswain"), `#!/bin/sh\nexec "${process.execPath}" "${ownLauncher}" "$@"\n`);
    chmodSync(join(folder, "bin/coxswain"), 0o755);
  }, 300_000);
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const block of all("type"))
    it(`${place(block)} works as printed`, async () => {
      const env = {
        PATH: [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter),
        HOME: folder,
        COXSWAIN_CACHE_DIR: join(folder, "cache"),
        KUBECONFIG: cluster.kubeconfig,
      };
      const input = replaced(commandsOf(block).join("\n"), block.decision.replace);
      const { code, stdout, stderr } = await runProgram("bash", ["-e"], { input, cwd: folder, env });
      expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
    });
});
