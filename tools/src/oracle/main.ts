// npm run tool -- oracle [--group G] [--kind K] [--limit N] [--seed S] [--show N] [--causes N] [--record] [--history] [--reference ours]
// Plays generated cases on the real kube-apiserver and on ours and compares every answer. docs/oracle.md explains it.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { stopOnSignal } from "../upstream/index.js";
import { casesOf, type OracleCase } from "./case.js";
import { chooseCompact, chooseOfStory } from "./compact.js";
import { writeCompact } from "./compact-files.js";
import { compareAnswers } from "./compare-answers.js";
import { startConversionServer } from "./extension/conversion/conversion-server.js";
import { playStory } from "./extension/play-story.js";
import { readStories } from "./extension/stories.js";
import { storyGroups } from "./extension/story.js";
import { type PlayOptions, playSubject } from "./play.js";
import { startServers } from "./servers.js";
import { groupName, readSubjects, type Subject, subjectName } from "./subject.js";
import { Tally } from "./tally.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const { values } = parseArgs({
  options: {
    group: { type: "string", multiple: true },
    history: { type: "boolean", default: false },
    kind: { type: "string", multiple: true },
    limit: { type: "string", default: "300" },
    record: { type: "boolean", default: false },
    reference: { type: "string", default: "upstream" },
    seed: { type: "string", default: "1" },
    causes: { type: "string", default: "20" },
    accepted: { type: "string", default: "0" },
    show: { type: "string", default: "3" },
    "at-once": { type: "string", default: "8" },
  },
});
const wanted = (list: readonly string[] | undefined, ...names: string[]): boolean =>
  list === undefined || list.flatMap((one) => one.split(",")).some((one) => names.includes(one));
const subjects = readSubjects().filter(
  ({ info }) => wanted(values.group, groupName(info)) && wanted(values.kind, info.resource, subjectName({ info })),
);
const webhook = await startConversionServer();
const stories = readStories({ seed: values.seed, limit: Number(values.limit), webhook }).filter(
  ({ group, name }) => wanted(values.group, group, "extension", name) && values.kind === undefined,
);
if (subjects.length === 0 && stories.length === 0)
  throw new Error(`no resource is called so; groups are core, apps, batch, …, and ${storyGroups.join(", ")}`);

const reference = values.reference === "ours" ? "ours" : "upstream";
if (reference !== values.reference || (reference === "ours" && values.record))
  throw new Error("--reference is upstream or ours; only what upstream answers is recorded");
const starting = startServers({ history: values.history, reference });
stopOnSignal(() =>
  starting
    .then(
      (servers) => servers.stop(),
      () => undefined,
    )
    .then(() => webhook.stop()),
);
const servers = await starting;
type Answers = Awaited<ReturnType<typeof playSubject>>;

async function playBoth(
  subject: Subject,
  cases: readonly OracleCase[],
  options: PlayOptions,
): Promise<{ upstream: Answers; ours: Answers }> {
  const [upstream, ours] = await Promise.all([
    playSubject(subject, cases, servers.upstream, options),
    playSubject(subject, cases, servers.ours, options),
  ]);
  return { upstream, ours };
}

const folder = join(root, "packages/apiserver/testdata/oracle");
const tally = new Tally({ show: Number(values.show) });
const options = { atOnce: Number(values["at-once"]) };
try {
  for (const subject of subjects) {
    const kind = subjectName(subject);
    const cases = casesOf(subject, { seed: values.seed, limit: Number(values.limit) });
    const { upstream, ours } = await playBoth(subject, cases, options);
    const count = tally.open(kind);
    for (const { sentence, phase, base } of cases) {
      const want = upstream.get(sentence);
      if (phase === "make" && want !== undefined && want.status >= 300)
        console.log(
          `${kind}: object ${base} is refused by upstream: ${String((want.body as { message?: string }).message).slice(0, 160)}`,
        );
      if (want === undefined && !ours.has(sentence)) continue;
      count(sentence, compareAnswers(kind, sentence, want, ours.get(sentence)));
    }
    if (values.record) writeCompact(folder, kind, chooseCompact(cases, agreed(kind, upstream, ours)));
  }
  for (const story of stories) {
    const [upstream, ours] = await Promise.all([
      playStory(story, servers.upstream, options),
      playStory(story, servers.ours, options),
    ]);
    const refused = [...upstream].find(([sentence, { status }]) => sentence === "define" && status >= 300);
    if (refused)
      console.log(`${story.name}: the definition is refused by upstream: ${JSON.stringify(refused[1].body)}`);
    const count = tally.open(story.name);
    for (const sentence of new Set([...upstream.keys(), ...ours.keys()]))
      count(sentence, compareAnswers(story.group, sentence, upstream.get(sentence), ours.get(sentence)));
    if (values.record && story.recorded === true)
      writeCompact(`${folder}-stories`, story.name, chooseOfStory(agreed(story.group, upstream, ours)));
  }
} finally {
  await servers.stop();
  await webhook.stop();
}
tally.print({ causes: Number(values.causes), accepted: Number(values.accepted) });
process.exitCode = tally.differs ? 1 : 0;

/** What differs is not for a test to demand; it stays in sight here. */
function agreed(kind: string, upstream: Answers, ours: Answers): Answers {
  return new Map(
    [...upstream].filter(
      ([sentence, want]) =>
        want.status > 0 && compareAnswers(kind, sentence, want, ours.get(sentence), []).is === "equal",
    ),
  );
}
