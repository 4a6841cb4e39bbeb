// npm run tool -- clients [--versions 1.27,1.36] [--server ours|upstream|both] [--short] [--only PATTERN] [--verbose]
// Runs what people type, with every release of kubectl that is there, and prints command × release. With `both` the same
// commands run on kube-apiserver too, and what is printed must be the same but for times, uids and addresses.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSetting } from "../../conformance/setting.js";
import { cachedProgram, stopOnSignal } from "../../upstream/index.js";
import { findKubectl, kubectlMinors } from "../find-kubectl.js";
import { commands } from "./commands.js";
import { type Column, formatMatrix } from "./format-matrix.js";
import type { CommandOutcome, KubectlCommand } from "./kubectl-command.js";
import { firstDifference } from "./mask.js";
import { nameOf, runCommands } from "./run-commands.js";
import { makeScene } from "./scene.js";

const { values: options } = parseArgs({
  options: {
    versions: { type: "string" },
    server: { type: "string", default: "ours" },
    short: { type: "boolean" },
    only: { type: "string" },
    verbose: { type: "boolean" },
  },
});
const newest = "1.36";
const minors = options.versions?.split(",") ?? [...kubectlMinors(), newest];
const pattern = new RegExp(options.only ?? "");
const chosen = commands.filter((command) => (!options.short || command.short) && pattern.test(nameOf(command)));
const folder = mkdtempSync(join(tmpdir(), "coxswain-clients-"));
const stops: (() => Promise<unknown>)[] = [];
stopOnSignal(async () => {
  for (const stop of stops) await stop();
});

async function runOn(server: "ours" | "upstream", minor: string): Promise<Map<KubectlCommand, CommandOutcome>> {
  const kubectl = findKubectl(minor) ?? (minor === newest ? cachedProgram("kubectl") : undefined);
  if (kubectl === undefined) throw new Error(`there is no kubectl ${minor}`);
  const home = mkdtempSync(join(folder, `${server}-${minor}-`));
  const setting = await startSetting({ server, folder: home, coxswain: undefined, print: () => {} });
  stops.push(() => setting.stop());
  try {
    const scene = makeScene({ folder: join(home, "scene"), kubectl, kubeconfig: setting.kubeconfig });
    return await runCommands({
      commands: chosen,
      scene,
      minor: Number(minor.slice(2)),
      onOutcome(command, { ok, problem, printed }) {
        if (!ok) process.stderr.write(`${server} ${minor}: ${nameOf(command)}: ${problem}\n`);
        if (options.verbose && !ok) process.stderr.write(`${printed.slice(0, 3000)}\n`);
      },
    });
  } finally {
    await setting.stop();
  }
}

/** Ours, with what differs from upstream's as a problem. */
function compared(
  ours: Map<KubectlCommand, CommandOutcome>,
  theirs: Map<KubectlCommand, CommandOutcome>,
): Map<KubectlCommand, CommandOutcome> {
  return new Map(
    [...ours].map(([command, outcome]) => {
      const other = theirs.get(command);
      if (!other?.ok)
        return [command, { ...outcome, ok: false, problem: `kube-apiserver fails too: ${other?.problem}` }];
      const difference = command.varies || !outcome.ok ? undefined : firstDifference(outcome.printed, other.printed);
      return [
        command,
        difference === undefined ? outcome : { ...outcome, ok: false, problem: `differs: ${difference}` },
      ];
    }),
  );
}

const columns: Column[] = [];
for (const minor of minors) {
  process.stderr.write(`kubectl ${minor}\n`);
  const ours = options.server === "upstream" ? undefined : await runOn("ours", minor);
  const theirs = options.server === "ours" ? undefined : await runOn("upstream", minor);
  columns.push({ minor, outcomes: ours && theirs ? compared(ours, theirs) : (ours ?? theirs ?? new Map()) });
}
rmSync(folder, { recursive: true, force: true });
console.log(formatMatrix(columns, chosen));
process.exitCode = columns.some(({ outcomes }) => [...outcomes.values()].some(({ ok }) => !ok)) ? 1 : 0;
