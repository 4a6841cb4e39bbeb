import { kubernetesRelease } from "@coxswain/api/release";
import { defineFlags, FlagError, formatHelp, parseFlags } from "@coxswain/component/flags";
import { systemRuntime } from "@coxswain/runtime";
import { checkObjects } from "./check-objects.js";
import { type CheckResult, count } from "./finding.js";
import { InputError, readInput } from "./input-files.js";
import { type Format, formats, printResult } from "./print-result.js";
import { readObjects } from "./read-objects.js";

const flags = defineFlags({
  crds: {
    group: "Input",
    type: "strings",
    value: "path",
    help: "Files or folders with CustomResourceDefinitions that are not among what is checked. May be repeated.",
  },
  namespace: {
    group: "Input",
    type: "string",
    short: "n",
    default: "default",
    value: "name",
    help: "The namespace of objects that name none.",
  },
  "ignore-missing-kinds": {
    group: "Check",
    type: "boolean",
    help: "Pass over objects whose kind no definition describes.",
  },
  skip: { group: "Check", type: "strings", value: "kinds", help: "Kinds that are passed over." },
  "fail-on-warnings": { group: "Check", type: "boolean", help: "End with 1 if there are warnings only, too." },
  "kubernetes-version": {
    group: "Check",
    type: "string",
    value: "version",
    help: `The Kubernetes minor to check for. Only ${kubernetesRelease.major}.${kubernetesRelease.minor} is there.`,
  },
  output: {
    group: "Output",
    type: "string",
    short: "o",
    default: "text",
    choices: formats,
    help: "The form of the report.",
  },
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

const description = `Reports what "kubectl apply --dry-run=server" would report of manifests, without a cluster: they are created in an API server in memory, with its defaults, validation, CEL rules, admission policies and quotas. CustomResourceDefinitions and policies among them count for the others. "-" reads the standard input: helm template … | coxswain check -

Ends with 0 if everything is accepted, 1 if something is not, 2 if there was nothing to check or the command line is wrong.`;

export async function runCheck(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(flags, args);
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(flags, { usage: "coxswain check FILE|DIR|-… [flags]", description }));
    return 0;
  }
  const { options, rest } = parsed;
  if (rest.length === 0) throw new FlagError('name files or folders with manifests, or "-" for the standard input');
  checkVersion(options.kubernetesVersion);
  try {
    const definitions = (await readInput(options.crds ?? [], process.stdin)).map(readObjects);
    const read = (await readInput(rest, process.stdin)).map(readObjects);
    const given = definitions.flatMap(({ objects }) =>
      objects.filter(({ manifest }) => manifest.kind === definitionKind),
    );
    const objects = [...given, ...read.flatMap((one) => one.objects)];
    const unreadable = [...definitions, ...read].flatMap(({ findings }) => findings);
    if (objects.length + unreadable.length === 0) {
      process.stderr.write(`coxswain check: there is no object in ${rest.join(", ")}\n`);
      return 2;
    }
    const checked = await checkObjects(systemRuntime(), objects, options);
    const result = inOrder({ ...checked, findings: [...unreadable, ...checked.findings] });
    process.stdout.write(printResult(options.output as Format, result));
    return count(result, "error") + (options.failOnWarnings ? count(result, "warning") : 0) > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(`coxswain check: ${error.message}\n`);
    return 2;
  }
}

const definitionKind = "CustomResourceDefinition";

/** By file, in the order in which the files were named, then by line. */
function inOrder({ objects, findings }: CheckResult): CheckResult {
  const files = [...new Set([...objects, ...findings].map(({ file }) => file))];
  const place = new Map(files.map((file, index) => [file, index]));
  const sorted = findings.toSorted((a, b) => (place.get(a.file) ?? 0) - (place.get(b.file) ?? 0) || a.line - b.line);
  return { objects, findings: sorted };
}

/** @throws FlagError */
function checkVersion(version: string | undefined): void {
  const { major, minor } = kubernetesRelease;
  if (version === undefined || version === "") return;
  if (!`${version.replace(/^v/, "")}.`.startsWith(`${major}.${minor}.`))
    throw new FlagError(
      `--kubernetes-version ${version}: this program has the rules of Kubernetes ${major}.${minor} alone, and does not emulate others yet`,
    );
}
