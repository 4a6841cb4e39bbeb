import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ownLauncher, runProgram } from "../clients/index.js";
import { readTutorial, type Step, shows } from "./read-tutorial.js";
import { SecondTerminal } from "./second-terminal.js";

export interface TutorialOptions {
  readonly markdown: string;
  /** An empty folder: the reader's home and working directory. */
  readonly folder: string;
  readonly kubectl: string;
  /** The command, as it is installed. @default this checkout's */
  readonly coxswain?: string;
  /** What stands in for `npm install`, which takes a minute and a registry. @default npm installs */
  readonly modules?: string | undefined;
  /** Of a cluster that is there. @default the page's own commands start one */
  readonly kubeconfig?: string | undefined;
  /** Is notified of each step that was done. */
  readonly onStep?: (step: Step, seconds: number) => void;
  /** Leaves commands out, for a short form. @default none */
  readonly skips?: (commands: string) => boolean;
}

/** Does what the page asks its reader to do, and looks at what the page shows. @throws Error at the first step that goes otherwise */
export async function runTutorial(options: TutorialOptions): Promise<void> {
  const { folder, kubeconfig, onStep = () => {}, skips = () => false } = options;
  const env = prepareHome(options);
  const cwdFile = join(folder, ".cwd");
  let cwd = folder;
  let output = "";
  let second: SecondTerminal | undefined;
  let writtenAt = 0;

  async function type(step: Extract<Step, { do: "type" }>): Promise<void> {
    if (step.terminal === "second") {
      if (step.commands.trim() === "^C") await second?.stop();
      else second = new SecondTerminal(step.commands, { cwd, env });
      return;
    }
    // The folder in which the last command ended is where the next block begins.
    const script = `exec 2>&1\n${step.commands}${step.fails ? "" : `pwd > "${cwdFile}"\n`}`;
    const { code, stdout } = await runProgram("bash", ["-e"], { input: script, cwd, env });
    output = stdout;
    if ((code !== 0) !== step.fails) throw new Error(`ended with ${code}:\n${step.commands}\n${stdout}`);
    if (!step.fails) cwd = readFileSync(cwdFile, "utf8").trim();
  }

  async function perform(step: Step): Promise<void> {
    switch (step.do) {
      case "type":
        if (!(step.isAboutCluster && kubeconfig !== undefined) && !skips(step.commands)) await type(step);
        return;
      case "write":
        mkdirSync(dirname(join(cwd, step.path)), { recursive: true });
        writeFileSync(join(cwd, step.path), step.text);
        writtenAt = performance.now();
        return;
      case "see":
        if (step.terminal === "second") await second?.see(step.text, writtenAt);
        else if (!shows(output, step.text)) throw new Error(`the page shows\n${step.text}\nthe terminal\n${output}`);
        return;
    }
  }

  try {
    for (const step of readTutorial(options.markdown)) {
      const began = performance.now();
      try {
        await perform(step);
      } catch (error) {
        const terminal = second ? `\nThe second terminal shows\n${second.output}` : "";
        throw new Error(`line ${step.line}: ${(error as Error).message}${terminal}`, { cause: error });
      }
      onStep(step, (performance.now() - began) / 1000);
    }
  } finally {
    await second?.stop();
    // The page's last commands do this, unless something failed before.
    if (kubeconfig === undefined) await runProgram("bash", ["-c", "coxswain down"], { cwd: folder, env });
  }
}

/** A home with the programs that the page asks for. `npm install` brings the packages of this checkout, which are not published. */
function prepareHome({
  folder,
  kubectl,
  coxswain = ownLauncher,
  modules,
  kubeconfig,
}: TutorialOptions): Record<string, string> {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(kubectl, join(bin, "kubectl"));
  const program = (name: string, script: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program("coxswain", `exec "${process.execPath}" "${coxswain}" "$@"`);
  for (const plugin of ["kubectl-at", "kubectl-history", "kubectl-why"])
    program(plugin, `exec "${process.execPath}" "${join(dirname(coxswain), `${plugin}.js`)}" "$@"`);
  const path = process.env["PATH"] ?? "";
  if (modules !== undefined)
    program("npm", `if [ "$1" = install ]; then ${installing(modules)}; else PATH="${path}" exec npm "$@"; fi`);
  return {
    PATH: [bin, path].join(delimiter),
    HOME: folder,
    TMPDIR: process.env["TMPDIR"] ?? "/tmp",
    npm_config_update_notifier: "false",
    ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }),
  };
}

/** The command is that of this checkout, so the project's packages are links to it. */
const installing = (modules: string): string => `ln -s "${modules}" node_modules`;
