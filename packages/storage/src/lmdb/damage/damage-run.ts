import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundle, startProcess } from "../crash/test-process.js";
import { checkLmdbDirectory, type StoreCheck } from "../index.js";
import { type DamageCase, describeCase, drawCase, inflict } from "./damage-case.js";
import { type Outcome, type Truth, type Verdict, verdictOf } from "./truth.js";

export interface DamageResult {
  readonly seed: number;
  readonly damage: DamageCase;
  readonly verdict: Verdict | { readonly is: "crashed"; readonly why: string };
  /** What `coxswain store check` finds in the same directory; undefined: it was refused with a sentence. */
  readonly check: StoreCheck | undefined;
}

/** Makes the directories that are to be damaged, below `root`. */
export async function makeTemplates(root: string): Promise<void> {
  mkdirSync(root, { recursive: true });
  const { child, lines, errors } = await startProcess("../damage/template-process", [root]);
  await lines;
  if (child.signalCode !== "SIGKILL") throw new Error(`the templates were not made: ${errors()}`);
}

/** Damages copies of the templates, one for each seed, and has a process look at each. */
export async function* runDamage(root: string, seeds: Iterable<number>): AsyncGenerator<DamageResult, void> {
  const truths = { closed: readTruth(root, "closed"), killed: readTruth(root, "killed") };
  const looker = new Looker();
  try {
    for (const seed of seeds) {
      const damage = drawCase(root, seed);
      const truth = truths[damage.template];
      const check = await checkLmdbDirectory(damagedCopy(root, damage)).catch(refusal);
      const outcome = await looker.look(damagedCopy(root, damage), truth.keys);
      const verdict = outcome.kind === "ended" ? endVerdict(outcome.how, check) : verdictOf(truth, outcome);
      yield { seed, damage, verdict, check };
    }
  } finally {
    looker.stop();
  }
}

function damagedCopy(root: string, damage: DamageCase): string {
  const directory = join(root, "damaged");
  rmSync(directory, { recursive: true, force: true });
  cpSync(join(root, damage.template), directory, { recursive: true });
  inflict(directory, damage);
  return directory;
}

const refusal = (): undefined => undefined;

/** An end by a signal serves nothing; it is as good as a refusal where the operator can learn what is damaged. */
function endVerdict(how: string, check: StoreCheck | undefined): DamageResult["verdict"] {
  const named = check?.damage.find(({ file }) => file === "data.mdb");
  return named === undefined || !how.startsWith("SIG")
    ? { is: "wrong", why: `the process ended: ${how}` }
    : { is: "crashed", why: `${how}; ${named.what}` };
}

const readTruth = (root: string, template: string): Truth =>
  JSON.parse(readFileSync(join(root, `${template}.json`), "utf8")) as Truth;

export const describeResult = ({ seed, damage, verdict, check }: DamageResult): string =>
  `seed ${seed}, ${describeCase(damage)}: ${verdict.is}${"why" in verdict ? `: ${verdict.why}` : ""}; the check finds ${check === undefined ? "no store" : `${check.damage.length} damages`}`;

/** A process that looks at directories, and another one when that has ended. */
class Looker {
  #child: ChildProcessWithoutNullStreams | undefined;
  #answers: AsyncIterator<string> | undefined;
  #errors = "";

  async look(directory: string, keys: readonly string[]): Promise<Outcome | { kind: "ended"; how: string }> {
    this.#child ??= await this.#start();
    const child = this.#child;
    child.stdin.write(`${JSON.stringify({ directory, keys })}\n`);
    const { value, done } = await this.#answers!.next();
    if (done !== true) {
      return JSON.parse(value) as Outcome;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    this.#child = undefined;
    return { kind: "ended", how: child.signalCode ?? `code ${child.exitCode}\n${this.#errors}` };
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
  }

  async #start(): Promise<ChildProcessWithoutNullStreams> {
    const child = spawn(process.execPath, [await bundle("../damage/damaged-store-process")], { stdio: "pipe" });
    this.#errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#errors += text));
    child.stdin.on("error", () => undefined);
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return child;
  }
}
