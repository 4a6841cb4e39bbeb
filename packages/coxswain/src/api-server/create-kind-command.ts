import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { addMarker, hasMarker } from "../project/add-marker.js";
import { type ExistingVersion, existingVersions } from "../project/existing-versions.js";
import { kindFlags, readKind } from "../project/kind-flags.js";
import { type ScaffoldedKind, sampleFile } from "../project/kind-names.js";
import { furtherVersion, sampleOfVersion, typeModule } from "../project/type-files.js";
import { type PlannedFile, writeChanged } from "../project/write-files.js";
import { addTestedVersion, addToGroups, addVersion } from "./add-to-groups.js";
import { defineApiSubcommand } from "./api-project.js";
import { generate } from "./generate-command.js";
import { kindFiles, kindModule, kindVariable } from "./kind-files.js";

export const createKindSubcommand = defineApiSubcommand({
  name: "create kind",
  takes: "",
  summary: "Adds a kind, or a further version of one.",
  description:
    "Writes api/<version>/<kind>.ts, kinds/<kind>.ts with its behaviour, its test and config/samples, adds it to groups.ts, and generates. A further version begins as a copy of the newest one, with conversion that leaves objects as they are; the version that is stored stays so.",
  flags: defineFlags(kindFlags),
  maxWords: 0,
  run({ options, project, ...place }) {
    const { directory, print, printError } = place;
    const kind = readKind(options, project.domain);
    const others = existingVersions(directory, kind).filter(({ version }) => version !== kind.version);
    const [newest] = others;
    const files = newest ? versionFiles(directory, kind, newest) : newFiles(kind);
    const existing = files.filter(({ path }) => existsSync(join(directory, path)));
    if (existing.length > 0) {
      printError(`${existing.map(({ path }) => path).join(", ")} exist already: nothing was written`);
      return 1;
    }
    const changed = newest ? changedForVersion(directory, kind, others) : changedGroups(directory, kind);
    for (const path of writeChanged(directory, [...files, ...changed])) print(`wrote ${path}`);
    if (!newest && changed.length === 0)
      print(`groups.ts has no "// +coxswain:" lines: add ${kindVariable(kind)} of ./${kindModule(kind)}.js there`);
    return generate(place, project);
  },
});

const newFiles = (kind: ScaffoldedKind): PlannedFile[] => [
  typeModule(kind, "@coxswain/schema-types"),
  sampleOfVersion(kind, undefined),
  ...kindFiles(kind),
];

function versionFiles(directory: string, kind: ScaffoldedKind, newest: ExistingVersion): PlannedFile[] {
  const sample = read(directory, sampleFile({ ...kind, version: newest.version }));
  return [furtherVersion(kind, newest), sampleOfVersion(kind, sample)];
}

function changedGroups(directory: string, kind: ScaffoldedKind): PlannedFile[] {
  const call = { name: kindVariable(kind), module: kindModule(kind) };
  const text = addToGroups(read(directory, "groups.ts") ?? "", call);
  return text === undefined ? [] : [{ path: "groups.ts", text }];
}

/** Of several versions one is stored: so far it was the only one. The others are converted. */
function changedForVersion(directory: string, kind: ScaffoldedKind, others: readonly ExistingVersion[]): PlannedFile[] {
  const [behaviour, test] = [`${kindModule(kind)}.ts`, `${kindModule(kind)}.test.ts`];
  const [converted, tested] = [
    addVersion(read(directory, behaviour) ?? "", kind.version),
    addTestedVersion(read(directory, test) ?? "", kind.version),
  ];
  if (converted === undefined)
    throw new FlagError(
      `${behaviour} has no "// +coxswain:versions" line, before which conversion of ${kind.version} would stand`,
    );
  return [
    ...markedAsStored(kind, others),
    { path: behaviour, text: converted },
    ...(tested === undefined ? [] : [{ path: test, text: tested }]),
  ];
}

function markedAsStored(kind: ScaffoldedKind, others: readonly ExistingVersion[]): PlannedFile[] {
  if (others.some(({ text }) => hasMarker(text, kind.kind, "storageVersion"))) return [];
  const stored = others.at(-1);
  const text = stored && addMarker(stored.text, kind.kind, "storageVersion");
  if (text === undefined) throw new FlagError(`${stored?.path} has no comment at interface ${kind.kind}`);
  return [{ path: stored?.path ?? "", text }];
}

const read = (directory: string, path: string): string | undefined =>
  existsSync(join(directory, path)) ? readFileSync(join(directory, path), "utf8") : undefined;
