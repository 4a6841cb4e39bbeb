import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { addWebhookWords, hasWebhookWord } from "../../project/add-marker.js";
import { type ExistingVersion, existingVersions } from "../../project/existing-versions.js";
import { checkVersion, kindFlags, readKind } from "../../project/kind-flags.js";
import { type ScaffoldedKind } from "../../project/kind-names.js";
import type { ProjectPlace } from "../../project/subcommand.js";
import { sampleOfVersion } from "../../project/type-files.js";
import { type PlannedFile, writeChanged } from "../../project/write-files.js";
import { generate, generateFlags } from "../generate-command.js";
import { defineProjectSubcommand } from "../project-subcommand.js";
import { addCertificatesToMain, addToMain, type MainCall } from "./add-to-main.js";
import { conversionFiles } from "./conversion-files.js";
import { conversionModule, defaultingModule, validationModule } from "./kind-names.js";
import { defaultingFiles, validationFiles } from "./webhook-files.js";

/** One of the three, and what it adds to a project. */
interface Webhook {
  /** In the `@webhook` marker. */
  readonly word: string;
  readonly files: readonly PlannedFile[];
  readonly call: MainCall;
}

export const createWebhookSubcommand = defineProjectSubcommand({
  name: "create webhook",
  takes: "",
  summary: "Adds webhooks to a kind: defaulting, validation, conversion.",
  description:
    "Writes webhooks/<version>/<kind>-defaulting.ts and <kind>-validation.ts, or webhooks/<kind>-conversion.ts, each with a test, marks the kind with @webhook, adds the webhooks and their certificates to main.ts, and generates the manifests. Existing files are not changed, other than main.ts and the marker.",
  flags: defineFlags({
    ...kindFlags,
    defaulting: { group: "Webhooks", type: "boolean", help: "Fill in what objects leave out." },
    "programmatic-validation": { group: "Webhooks", type: "boolean", help: "Refuse objects by code." },
    conversion: {
      group: "Webhooks",
      type: "boolean",
      help: "Convert between versions of the kind. --version is the hub, by way of which others are converted.",
    },
    spoke: {
      group: "Webhooks",
      type: "strings",
      value: "versions",
      help: "The versions besides the hub. By default all that the project has.",
    },
    ...generateFlags,
  }),
  maxWords: 0,
  run({ options, project, ...place }) {
    const { directory, print, printError } = place;
    const kind = readKind(options, project.domain);
    const { defaulting, programmaticValidation, conversion, spoke = [] } = options;
    if (!defaulting && !programmaticValidation && !conversion)
      throw new FlagError("choose some of --defaulting, --programmatic-validation and --conversion");
    if (spoke.length > 0 && !conversion) throw new FlagError("--spoke belongs to --conversion");
    const versions = existingVersions(directory, kind);
    const own = versions.find(({ version }) => version === kind.version);
    if (!own) {
      printError(`there is no ${kind.kind} of ${kind.group}/${kind.version}: use "coxswain operator create api" first`);
      return 1;
    }
    const webhooks = [
      ...(defaulting ? [defaultingWebhook(kind)] : []),
      ...(programmaticValidation ? [validationWebhook(kind)] : []),
      ...(conversion ? [conversionWebhook(kind, spokesOf(kind, versions, spoke))] : []),
    ];
    const refusal = whyNot(place, kind, own, webhooks);
    if (refusal !== undefined) {
      printError(`${refusal}: nothing was written`);
      return 1;
    }
    const words = webhooks.map(({ word }) => word);
    const marked = { path: own.path, text: addWebhookWords(own.text, kind.kind, words) ?? own.text };
    const main = changedMain(directory, webhooks);
    const files = [...webhooks.flatMap(({ files }) => files), ...missingSamples(directory, kind, versions)];
    for (const path of writeChanged(directory, [...files, marked, ...main])) print(`wrote ${path}`);
    if (main.length === 0)
      print(
        `main.ts is not as it was scaffolded: call ${webhooks.map(({ call }) => `${call.name}(manager)`).join(", ")} there, and pass webhookCertificates of webhooks/certificates.ts to runOperator`,
      );
    return generate(place, options);
  },
});

const defaultingWebhook = (kind: ScaffoldedKind): Webhook => ({
  word: "defaulting",
  files: defaultingFiles(kind),
  call: { name: `add${kind.kind}Defaulting`, module: defaultingModule(kind), version: kind.version },
});
const validationWebhook = (kind: ScaffoldedKind): Webhook => ({
  word: "validating",
  files: validationFiles(kind),
  call: { name: `add${kind.kind}Validation`, module: validationModule(kind), version: kind.version },
});
const conversionWebhook = (hub: ScaffoldedKind, spokes: readonly string[]): Webhook => ({
  word: "conversion",
  files: conversionFiles(hub, spokes),
  call: { name: `add${hub.kind}Conversion`, module: conversionModule(hub), version: hub.version },
});

/** @throws FlagError */
function spokesOf(
  { kind, version: hub }: ScaffoldedKind,
  versions: readonly ExistingVersion[],
  named: readonly string[],
): readonly string[] {
  for (const version of named) checkVersion("spoke", version);
  const others = versions.map(({ version }) => version).filter((version) => version !== hub);
  const unknown = named.find((version) => !others.includes(version));
  if (unknown !== undefined) throw new FlagError(`--spoke: ${kind} has no version ${unknown} besides ${hub}`);
  if (others.length === 0)
    throw new FlagError(
      `--conversion: ${kind} has only the version ${hub}. Add another one with "coxswain operator create api"`,
    );
  return named.length > 0 ? named : others;
}

function whyNot(
  { directory }: ProjectPlace,
  { kind }: ScaffoldedKind,
  own: ExistingVersion,
  webhooks: readonly Webhook[],
): string | undefined {
  const existing = webhooks.flatMap(({ files }) => files).filter(({ path }) => existsSync(join(directory, path)));
  if (existing.length > 0) return `${existing.map(({ path }) => path).join(", ")} exist already`;
  const marked = webhooks.find(({ word }) => hasWebhookWord(own.text, kind, word));
  return marked && `${own.path} has a marker "@webhook ${marked.word}" already`;
}

/** Tests of webhooks read them; projects of earlier releases have none. */
const missingSamples = (
  directory: string,
  kind: ScaffoldedKind,
  versions: readonly ExistingVersion[],
): readonly PlannedFile[] =>
  versions
    .map(({ version }) => sampleOfVersion({ ...kind, version }, undefined))
    .filter(({ path }) => !existsSync(join(directory, path)));

function changedMain(directory: string, webhooks: readonly Webhook[]): PlannedFile[] {
  const file = join(directory, "main.ts");
  if (!existsSync(file)) return [];
  const called = addToMain(
    readFileSync(file, "utf8"),
    webhooks.map(({ call }) => call),
  );
  const text = called && addCertificatesToMain(called);
  return text === undefined ? [] : [{ path: "main.ts", text }];
}
