import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { pluralOf } from "@coxswain/operator/types";
import { generate, generateFlags } from "../generate-command.js";
import { defineSubcommand } from "../operator-subcommand.js";
import { type PlannedFile, writeChanged } from "../write-files.js";
import { addToMain } from "./add-to-main.js";
import { controllerFiles, typeModule } from "./kind-files.js";
import type { ScaffoldedKind } from "./kind-names.js";

export const createApiSubcommand = defineSubcommand({
  name: "create api",
  takes: "",
  summary: "Adds a kind: its types, a controller and a test.",
  description:
    "Writes api/<version>/<kind>.ts, controllers/<kind>-controller.ts and its test, adds the controller to main.ts, and generates the manifests. Existing files are not changed, other than main.ts.",
  flags: defineFlags({
    group: { group: "Kind", type: "string", value: "name", help: "The API group without the domain: media." },
    version: { group: "Kind", type: "string", value: "version", help: "v1alpha1, v1beta2, v1 …" },
    kind: { group: "Kind", type: "string", value: "Kind", help: "In upper camel case: VideoProcessor." },
    plural: { group: "Kind", type: "string", value: "name", help: "The resource. By default the kind's plural." },
    controller: {
      group: "Kind",
      type: "boolean",
      default: true,
      help: "Add a controller and its test. Use --controller=false for a further version of a kind.",
    },
    ...generateFlags,
  }),
  maxWords: 0,
  run({ options, ...place }) {
    const { directory, print, printError } = place;
    const domain = domainOf(directory);
    if (domain === undefined) {
      printError(`${directory} is no operator's project: package.json has no "operator": { "domain": … }`);
      return 1;
    }
    const kind = readKind(options, domain);
    const files = [typeModule(kind), ...(options.controller ? controllerFiles(kind) : [])];
    const existing = files.filter(({ path }) => existsSync(join(directory, path)));
    if (existing.length > 0) {
      printError(`${existing.map(({ path }) => path).join(", ")} exist already: nothing was written`);
      return 1;
    }
    const main = options.controller ? changedMain(directory, kind) : [];
    for (const path of writeChanged(directory, [...files, ...main])) print(`wrote ${path}`);
    if (options.controller && main.length === 0)
      print(`main.ts has no "// +coxswain:" lines: call add${kind.kind}Controller(manager) there`);
    return generate(place, options);
  },
});

function readKind(
  {
    group,
    version,
    kind,
    plural,
  }: {
    group?: string | undefined;
    version?: string | undefined;
    kind?: string | undefined;
    plural?: string | undefined;
  },
  domain: string,
): ScaffoldedKind {
  if (group === undefined || version === undefined || kind === undefined)
    throw new FlagError("a kind needs --group, --version and --kind");
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(group))
    throw new FlagError(`--group: "${group}" is not one word of a-z, 0-9 and "-"; the domain is added to it`);
  if (!/^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/.test(version))
    throw new FlagError(`--version: "${version}" is no API version such as v1alpha1, v1beta2 or v1`);
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) throw new FlagError(`--kind: "${kind}" is not in upper camel case`);
  const resource = plural ?? pluralOf(kind);
  if (!/^[a-z][a-z0-9]*$/.test(resource)) throw new FlagError(`--plural: "${resource}" is not of a-z and 0-9`);
  return { group: `${group}.${domain}`, version, kind, plural: resource };
}

function domainOf(directory: string): string | undefined {
  const file = join(directory, "package.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { operator?: { domain?: string } }).operator?.domain;
}

function changedMain(directory: string, kind: ScaffoldedKind): PlannedFile[] {
  const file = join(directory, "main.ts");
  const text = existsSync(file) ? addToMain(readFileSync(file, "utf8"), kind) : undefined;
  return text === undefined ? [] : [{ path: "main.ts", text }];
}
