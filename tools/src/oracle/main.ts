// npm run oracle -- [--group G] [--kind K] [--limit N] [--seed S] [--show N] [--causes N] [--record]
// Plays generated cases on the real kube-apiserver and on ours and compares every answer. docs/oracle.md explains it.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Json } from "../record/index.js";
import { stopOnSignal } from "../upstream/index.js";
import { casesOf, type OracleCase } from "./case.js";
import { chooseCompact } from "./compact.js";
import { writeCompact } from "./compact-files.js";
import { causeOf, judge, verdictText } from "./judge.js";
import { type AcceptedDifference, ledger } from "./ledger.js";
import { type PlayOptions, playSubject } from "./play.js";
import { formatTable, type Row } from "./report.js";
import { startServers } from "./servers.js";
import { isFollowed } from "./settle.js";
import { groupName, readSubjects, type Subject, subjectName } from "./subject.js";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const { values } = parseArgs({
  options: {
    group: { type: "string", multiple: true },
    kind: { type: "string", multiple: true },
    limit: { type: "string", default: "300" },
    record: { type: "boolean", default: false },
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
if (subjects.length === 0) throw new Error("no resource is called so; groups are core, apps, batch, …");

const starting = startServers();
stopOnSignal(() =>
  starting.then(
    (servers) => servers.stop(),
    () => undefined,
  ),
);
const servers = await starting;
type Answers = Awaited<ReturnType<typeof playSubject>>;

/** One after the other where the second one is to follow what controllers did on the first. */
async function playBoth(
  subject: Subject,
  cases: readonly OracleCase[],
  options: PlayOptions,
): Promise<{ upstream: Answers; ours: Answers; statuses: ReadonlyMap<string, Json> }> {
  const statuses = new Map<string, Json>();
  if (!isFollowed(subject.info)) {
    const [upstream, ours] = await Promise.all([
      playSubject(subject, cases, servers.upstream, options),
      playSubject(subject, cases, servers.ours, options),
    ]);
    return { upstream, ours, statuses };
  }
  const upstream = await playSubject(subject, cases, servers.upstream, { ...options, statuses: { note: statuses } });
  return {
    upstream,
    ours: await playSubject(subject, cases, servers.ours, { ...options, statuses: { follow: statuses } }),
    statuses,
  };
}

const rows: Row[] = [];
/** The cases that each entry of the ledger was needed for. */
const uses = new Map<AcceptedDifference, string[]>();
const causes = new Map<string, { count: number; first: string }>();
try {
  for (const subject of subjects) {
    const kind = subjectName(subject);
    const cases = casesOf(subject, { seed: values.seed, limit: Number(values.limit) });
    const options = { atOnce: Number(values["at-once"]) };
    const { upstream, ours, statuses } = await playBoth(subject, cases, options);
    const row: Row = { kind, cases: 0, equal: 0, different: 0, accepted: 0 };
    for (const { sentence, phase, base } of cases) {
      const want = upstream.get(sentence);
      if (phase === "make" && want !== undefined && want.status >= 300)
        console.log(
          `${kind}: object ${base} is refused by upstream: ${String((want.body as { message?: string }).message).slice(0, 160)}`,
        );
      if (want === undefined && !ours.has(sentence)) continue;
      const verdict = judge(kind, sentence, want, ours.get(sentence));
      row.cases++;
      row[verdict.is]++;
      if (verdict.is === "accepted") {
        for (const entry of new Set(verdict.entries))
          uses.set(entry, [...(uses.get(entry) ?? []), `${kind}: ${sentence}`]);
      }
      if (verdict.is !== "different") continue;
      for (const difference of verdict.differences) {
        const cause = causeOf(difference);
        causes.set(cause, {
          first: verdictText(kind, difference),
          ...causes.get(cause),
          count: (causes.get(cause)?.count ?? 0) + 1,
        });
      }
      if (row.different <= Number(values.show))
        console.log(
          verdict.differences
            .slice(0, 4)
            .map((one) => verdictText(kind, one))
            .join("\n"),
        );
    }
    rows.push(row);
    if (values.record) {
      // What differs is not for a test to demand; it stays in sight here.
      const agreed = new Map(
        [...upstream].filter(
          ([sentence, want]) => want.status > 0 && judge(kind, sentence, want, ours.get(sentence), []).is === "equal",
        ),
      );
      writeCompact(join(root, "packages/apiserver/testdata/oracle"), kind, chooseCompact(cases, agreed, statuses));
    }
  }
} finally {
  await servers.stop();
}
const ranked = [...causes.values()].sort((a, b) => b.count - a.count).slice(0, Number(values.causes));
if (ranked.length > 0)
  console.log(
    `\nThe most frequent causes:\n${ranked.map(({ count, first }) => `${String(count).padStart(5)}  ${first}`).join("\n")}\n`,
  );
console.log(formatTable(rows));
console.log(
  `\nThe ledger:\n${ledger
    .map(
      (entry) =>
        `${String(uses.get(entry)?.length ?? 0).padStart(5)}  ${entry.reason}\n${(uses.get(entry) ?? [])
          .slice(0, Number(values.accepted))
          .map((one) => `         ${one}\n`)
          .join("")}`,
    )
    .join("")}`,
);
process.exitCode = rows.some(({ different }) => different > 0) ? 1 : 0;
