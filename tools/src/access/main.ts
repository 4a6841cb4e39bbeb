// npm run record -- access -- [--cases] [--decisions]
// Asks the real kube-apiserver who may do what (Node,RBAC with NodeRestriction), and writes its answers: the cases of
// packages/apiserver/testdata/access/cases, and the table of decisions.
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createSeededRandom } from "@coxswain/runtime/random";
import { formatJson, type Json, playCase, type Recording, readCases, recordingPath } from "../record/index.js";
import { kubernetesVersion, stopOnSignal } from "../upstream/index.js";
import { encodeDecisions } from "./decision-table.js";
import { type Ask, jsonAsk, makeWorld } from "./make-world.js";
import { nodeQuestions } from "./node-questions.js";
import { nodeWorld } from "./node-world.js";
import { startAccessOracle } from "./oracle.js";
import { type Question, reviewOf, reviewPath, type Verdict } from "./question.js";
import { rbacQuestions } from "./rbac-questions.js";
import { randomPolicy } from "./rbac-world.js";
import { readPolicy } from "./read-policy.js";

const folder = join(resolve(dirname(fileURLToPath(import.meta.url)), "../../.."), "packages/apiserver/testdata/access");

async function recordDecisions(ask: Ask): Promise<void> {
  const random = createSeededRandom(1);
  const world = [...randomPolicy(random), ...nodeWorld];
  await makeWorld(ask, world);
  await ask("GET", "/apis/rbac.authorization.k8s.io/v1/rolebindings"); // The authorizer follows its informers; this many requests behind, it has caught up.
  const questions = [...rbacQuestions(await readPolicy(ask), random, 6000), ...nodeQuestions()];
  const rows: { question: Question; verdict: Verdict }[] = [];
  for (const question of questions) {
    const { status, body } = await ask("POST", reviewPath, reviewOf(question));
    if (status !== 201) throw new Error(JSON.stringify(body));
    rows.push({ question, verdict: (body as { status: Verdict }).status });
  }
  writeFileSync(join(folder, "decisions.json"), encodeDecisions({ server: kubernetesVersion, world, rows }));
  console.log(`${rows.length} decisions, ${rows.filter(({ verdict }) => verdict.allowed).length} of them allow`);
}

const { values } = parseArgs({ options: { cases: { type: "boolean" }, decisions: { type: "boolean" } } });
const all = !values.cases && !values.decisions;
const starting = startAccessOracle();
stopOnSignal(() =>
  starting.then(
    (oracle) => oracle.stop(),
    () => undefined,
  ),
);
const oracle = await starting;
try {
  if (all || values.cases) {
    for (const file of readCases(join(folder, "cases"))) {
      const recording: Recording = { server: kubernetesVersion, answers: await playCase(file.case, oracle.request) };
      writeFileSync(recordingPath(file.path), `${formatJson(recording as unknown as Json)}\n`);
      console.log(`recorded ${file.case.name}`);
    }
  }
  if (all || values.decisions) await recordDecisions(jsonAsk(oracle.request));
} finally {
  await oracle.stop();
}
