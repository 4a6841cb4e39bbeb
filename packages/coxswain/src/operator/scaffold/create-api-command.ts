import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { addMarker, hasMarker } from "../../project/add-marker.js";
import { type ExistingVersion, existingVersions } from "../../project/existing-versions.js";
import { kindFlags, readKind } from "../../project/kind-flags.js";
import { type ScaffoldedKind, sampleFile } from "../../project/kind-names.js";
import { furtherVersion, sampleOfVersion, typeModule } from "../../project/type-files.js";
import { type PlannedFile, writeChanged } from "../../project/write-files.js";
import { generate, generateFlags } from "../generate-command.js";
import { defineProjectSubcommand } from "../project-subcommand.js";
import { addToMain } from "./add-to-main.js";
import { controllerFiles } from "./kind-files.js";
import { controllerModule } from "./kind-names.js";

export const createApiSubcommand = defineProjectSubcommand({
  name: "create api",
  takes: "",
  summary: "Adds a kind, or a further version of one.",
  description:
    "Writes api/<version>/<kind>.ts, config/samples, controllers/<kind>-controller.ts and its test, adds the controller to main.ts, and generates the manifests. A further version of a kind begins as a copy of the newest one and needs no controller; the version that is stored stays so. Existing files are not changed, other than main.ts and the marker @storageVersion.",
  flags: defineFlags({
    ...kindFlags,
    controller: {
      group: "Kind",
      type: "boolean",
      default: true,
      help: "Add a controller and its test. A further version of a kind gets none.",
    },
    ...generateFlags,
  }),
  maxWords: 0,
  run({ options, project, ...place }) {
    const { directory, print, printError } = place;
    const kind = readKind(options, project.domain);
    const others = existingVersions(directory, kind).filter(({ version }) => version !== kind.version);
    const controller = options.controller && others.length === 0;
    const files = [...typeFiles(directory, kind, others), ...(controller ? controllerFiles(kind) : [])];
    const existing = files.filter(({ path }) => existsSync(join(directory, path)));
    if (existing.length > 0) {
      printError(`${existing.map(({ path }) => path).join(", ")} exist already: nothing was written`);
      return 1;
    }
    const main = controller ? changedMain(directory, kind) : [];
    for (const path of writeChanged(directory, [...files, ...storedVersion(kind, others), ...main]))
      print(`wrote ${path}`);
    if (controller && main.length === 0)
      print(`main.ts has no "// +coxswain:" lines: call add${kind.kind}Controller(manager) there`);
    const code = generate(place, options);
    const [group] = kind.group.split(".");
    if (code === 0 && others.length > 0)
      print(
        `once the versions differ: coxswain operator create webhook --group ${group} --version ${storedOf(kind, others)?.version} --kind ${kind.kind} --conversion --spoke ${kind.version}`,
      );
    return code;
  },
});

function typeFiles(directory: string, kind: ScaffoldedKind, others: readonly ExistingVersion[]): PlannedFile[] {
  const [newest] = others;
  if (!newest) return [typeModule(kind, "@coxswain/operator"), sampleOfVersion(kind, undefined)];
  const sample = join(directory, sampleFile({ ...kind, version: newest.version }));
  const text = existsSync(sample) ? readFileSync(sample, "utf8") : undefined;
  return [furtherVersion(kind, newest), sampleOfVersion(kind, text)];
}

const storedOf = (kind: ScaffoldedKind, others: readonly ExistingVersion[]): ExistingVersion | undefined =>
  others.find(({ text }) => hasMarker(text, kind.kind, "storageVersion")) ?? others.at(-1);

/** Of several versions one is stored: so far it was the only one. */
function storedVersion(kind: ScaffoldedKind, others: readonly ExistingVersion[]): PlannedFile[] {
  const stored = storedOf(kind, others);
  if (!stored || hasMarker(stored.text, kind.kind, "storageVersion")) return [];
  const text = addMarker(stored.text, kind.kind, "storageVersion");
  if (text === undefined) throw new FlagError(`${stored.path} has no comment at interface ${kind.kind}`);
  return [{ path: stored.path, text }];
}

function changedMain(directory: string, kind: ScaffoldedKind): PlannedFile[] {
  const file = join(directory, "main.ts");
  const call = { name: `add${kind.kind}Controller`, module: controllerModule(kind), version: kind.version };
  const text = existsSync(file) ? addToMain(readFileSync(file, "utf8"), [call]) : undefined;
  return text === undefined ? [] : [{ path: "main.ts", text }];
}
