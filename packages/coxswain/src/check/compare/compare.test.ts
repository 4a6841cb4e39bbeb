import { systemRuntime } from "@coxswain/runtime";
import { projects } from "@coxswain/tools/crds";
import { describeWith } from "@coxswain/tools/needs";
import { expect, it } from "vitest";
import { checkObjects } from "../check-objects.js";
import type { SourceObject } from "../read-objects.js";
import { accepted } from "./accepted.test.support.js";
import { DryRuns, type Report } from "./dry-runs.test.support.js";
import { type JsonObject, mutantsOf } from "./mutants.test.support.js";
import { asFiles, projectObjects } from "./project-objects.test.support.js";

/** `npm run tool -- check-compare`: a project, several (with commas between them), or all. */
const wanted = process.env["COXSWAIN_CHECK_COMPARE"];
const chosen = projects.filter(({ name }) => wanted === "all" || wanted?.split(",").includes(name) === true);
/** How many copies with an odd member all projects have together, and the seed of the first project. */
const mutantCount = Number(process.env["COXSWAIN_CHECK_MUTANTS"] ?? 1000);
const firstSeed = Number(process.env["COXSWAIN_CHECK_SEED"] ?? 0);
const mutantsPerProject = Math.ceil(mutantCount / projects.length);
const noReport: Report = { errors: [], warnings: [] };

describeWith(
  "coxswain check and the dry run of kube-apiserver",
  {
    found: chosen.length > 0,
    missing: "COXSWAIN_CHECK_COMPARE=all, Go and kube-apiserver (npm run tool -- check-compare)",
    timeout: 900_000,
  },
  () => {
    for (const [index, project] of projects.entries())
      it.runIf(chosen.includes(project))(`${project.name}: the same is accepted, in the same words`, async () => {
        const { definitions, manifests } = await projectObjects(project);
        const files = [...asFiles(definitions, "definition "), ...asFiles(manifests, "manifest ")];
        const compared = await compareBoth(files);
        const taken = manifests.filter((_, at) => compared.wants.get(`manifest ${at}`)?.errors.length === 0);
        const mutants = mutantsOf(taken.filter(isPlain), mutantsPerProject, firstSeed + index);
        const sentences = new Map(mutants.map(({ sentence }, at) => [`mutant ${at}`, sentence]));
        const odd = [
          ...asFiles(definitions, "definition "),
          ...asFiles(
            mutants.map(({ object }) => object),
            "mutant ",
          ),
        ];
        const comparedOdd = await compareBoth(odd, sentences);
        console.info(
          `${project.name}: ${files.length} objects, ${compared.refused} refused, ${compared.differences.length} differ; ` +
            `${mutants.length} with an odd member, ${comparedOdd.refused} refused, ${comparedOdd.differences.length} differ; ` +
            `${compared.accepted + comparedOdd.accepted} accepted differences`,
        );
        for (const line of [...compared.differences, ...comparedOdd.differences]) console.info(line);
        expect([...compared.differences, ...comparedOdd.differences]).toEqual([]);
      });
  },
);

/** Others that are made before would act on the rest, or their names are those of what they are about. */
const isPlain = ({ kind, metadata }: JsonObject): boolean =>
  typeof (metadata as JsonObject | undefined)?.["name"] === "string" &&
  !/Definition$|^(Namespace|APIService|ResourceQuota|LimitRange|PriorityClass)$|Policy(Binding)?$|WebhookConfiguration$/.test(
    String(kind),
  );

async function compareBoth(files: readonly SourceObject[], sentences: ReadonlyMap<string, string> = new Map()) {
  const upstream = await DryRuns.start();
  const wants = await upstream.report(files).finally(() => upstream.stop());
  const gots = await checked(files);
  const differences: string[] = [];
  let count = 0;
  for (const { file, manifest } of files) {
    const [want, got] = [inWords(wants.get(file) ?? noReport), inWords(gots.get(file) ?? noReport)];
    if (want === got) continue;
    if (accepted.some((one) => one.want.test(want) && one.got.test(got))) count++;
    else
      differences.push(
        `${file}, ${manifest.kind} ${manifest.metadata?.name} ${sentences.get(file) ?? ""}\n  want ${want}\n  got  ${got}`,
      );
  }
  const refused = [...wants.values()].filter(({ errors }) => errors.length > 0).length;
  return { wants, differences, accepted: count, refused };
}

async function checked(files: readonly SourceObject[]): Promise<ReadonlyMap<string, Report>> {
  const { findings } = await checkObjects(systemRuntime(), files, {});
  const of = (file: string, level: string): string[] =>
    findings
      .filter((finding) => finding.file === file && finding.level === level)
      .map(({ message }) => message.replace("; --crds names files with definitions", ""));
  return new Map(files.map(({ file }) => [file, { errors: of(file, "error"), warnings: of(file, "warning") }]));
}

/** Each server makes its own. */
const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Where one is not there when the other is reported, both name all fields; their order is that of a Go map now and then. */
const inWords = ({ errors, warnings }: Report): string =>
  JSON.stringify({ errors: [...errors].sort(), warnings: [...warnings].sort() }).replace(uid, "<uid>");
