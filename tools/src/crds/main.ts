// npm run tool -- crds [project …]: see `usage`.
import { parseArgs } from "node:util";
import { compareAnswers, verdictText } from "../oracle/compare-answers.js";
import { formatTable, type Row } from "../oracle/report.js";
import { startServers } from "../oracle/servers.js";
import { stopOnSignal } from "../upstream/index.js";
import { playProject } from "./play-project.js";
import { projects } from "./projects.js";
import { readProject } from "./read-project.js";

const usage = `npm run tool -- crds [--show N] [project …]

Fetches the Go modules of projects that define custom resources, applies their definitions to kube-apiserver and to ours,
reads what is stored and how it is explained (OpenAPI), makes the objects that the modules hold, applies them as another
manager, and compares every answer: acceptance, stored object, warnings, texts of errors.

  --show N    differences of a project that are printed (default: 5)

Projects: ${projects.map(({ name }) => name).join(", ")}.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: "string", default: "5" }, help: { type: "boolean", default: false } },
});
if (values.help) process.stdout.write(usage);
else await run();

async function run(): Promise<void> {
  const wanted = projects.filter(
    ({ name }) => positionals.length === 0 || positionals.some((one) => name.toLowerCase().includes(one.toLowerCase())),
  );
  if (wanted.length === 0) throw new Error(`no project is called so; ${usage}`);
  const starting = startServers();
  stopOnSignal(() =>
    starting.then(
      (servers) => servers.stop(),
      () => undefined,
    ),
  );
  const servers = await starting;
  const rows: Row[] = [];
  try {
    for (const project of wanted) {
      const contents = await readProject(project);
      const [want, got] = await Promise.all([
        playProject(contents, servers.upstream),
        playProject(contents, servers.ours),
      ]);
      const kind = `${project.name}: ${contents.definitions.length} definitions, ${contents.samples.length} objects`;
      const row: Row = { kind, cases: 0, equal: 0, different: 0, accepted: 0 };
      for (const sentence of new Set([...want.keys(), ...got.keys()])) {
        const verdict = compareAnswers("custom", sentence, want.get(sentence), got.get(sentence));
        row.cases++;
        row[verdict.is]++;
        if (verdict.is !== "different" || row.different > Number(values.show)) continue;
        for (const difference of verdict.differences.slice(0, 3)) console.log(verdictText(project.name, difference));
      }
      rows.push(row);
      const refused = [...want.values()].filter(({ status }) => status >= 400).length;
      console.log(`${kind}: ${row.cases} answers, ${refused} of them refusals, ${row.different} differ`);
    }
  } finally {
    await servers.stop();
  }
  console.log(formatTable(rows));
  process.exitCode = rows.some(({ different }) => different > 0) ? 1 : 0;
}
