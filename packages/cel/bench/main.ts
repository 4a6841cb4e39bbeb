// npm run bench -- cel: the time that one evaluation takes, beside cel-go's, of expressions like those in Kubernetes' documents.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dynType } from "@coxswain/cel";
import { celLimits, createBaseEnvironments, jsonToValue } from "@coxswain/cel/kubernetes";

interface Given {
  readonly object: object;
  readonly expressions: readonly string[];
}
interface Measured {
  readonly value: unknown;
  readonly ns: number;
}

// From dist, where the compiled program is.
const file = fileURLToPath(new URL("../expressions.json", import.meta.url));
const sources = fileURLToPath(new URL("../../../../tools/answers/cel", import.meta.url));
const given = JSON.parse(readFileSync(file, "utf8")) as Given;
const sliceMs = 20;
const slices = 20;

/** In slices, of which the fastest counts, as the program in Go does. */
function measure(evaluate: () => unknown): number {
  let best = Infinity;
  for (let slice = 0; slice < slices; slice++) {
    const began = performance.now();
    let count = 0;
    for (; performance.now() - began < sliceMs; count += 100) for (let at = 0; at < 100; at++) evaluate();
    best = Math.min(best, ((performance.now() - began) * 1e6) / count);
  }
  return best;
}

const environment = createBaseEnvironments().extend({ variables: { object: dynType } }).forStored;

const ours = given.expressions.map((expression): Measured => {
  const compiled = environment.compile(expression);
  if (!compiled.ok) throw new Error(`${expression}: ${compiled.message}`);
  const program = environment.program(compiled.checked, { costLimit: celLimits.perCall });
  // The object becomes a CEL value with each request, as it does on a server.
  const evaluate = () => program.evaluate(new Map([["object", jsonToValue(given.object)]]));
  const outcome = evaluate();
  if (!outcome.ok) throw new Error(`${expression}: ${outcome.error.message}`);
  return { value: outcome.value, ns: measure(evaluate) };
});
const run = spawnSync("go", ["run", ".", "measure", file], { cwd: sources, encoding: "utf8", maxBuffer: 1e8 });
if (run.status !== 0)
  throw new Error(`cel-go could not be measured (is Go there?): ${run.stderr || String(run.error)}`);
const theirs = JSON.parse(run.stdout) as Measured[];

let product = 1;
for (const [at, expression] of given.expressions.entries()) {
  const [a, b] = [ours[at] as Measured, theirs[at] as Measured];
  if (a.value !== b.value) throw new Error(`${expression}: ours is ${String(a.value)}, cel-go's ${String(b.value)}`);
  product *= (a.ns / b.ns) ** (1 / given.expressions.length);
  const cell = (ns: number): string => `${ns.toFixed(0)} ns`.padStart(9);
  console.log(`${cell(b.ns)} ${cell(a.ns)} ${(a.ns / b.ns).toFixed(2).padStart(6)} x  ${expression}`);
}
const total = (rows: readonly Measured[]): number => rows.reduce((sum, { ns }) => sum + ns, 0);
console.log(
  `cel-go, ours, ratio: ${(total(ours) / total(theirs)).toFixed(2)} x in total, ${product.toFixed(2)} x by the geometric mean (budget: 2 x)`,
);
