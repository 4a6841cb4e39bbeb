import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, fieldErrorsText, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { checkDnsLabel, checkDnsSubdomain } from "@coxswain/apimachinery/validation";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readConfiguration } from "../configuration/read-configuration.js";
import { type LevelVersion, levelProblem, type Policy, readLevel, readVersion, versionProblem } from "./policy.js";

/** Who is not asked. */
export interface Exemptions {
  readonly usernames: readonly string[];
  readonly namespaces: readonly string[];
  readonly runtimeClasses: readonly string[];
}

export interface PodSecurityConfiguration {
  /** For namespaces without labels for it. */
  readonly defaults: Policy;
  readonly exemptions: Exemptions;
}

type Document = { defaults?: Record<string, string>; exemptions?: Partial<Exemptions> };

const kind = "PodSecurityConfiguration";

export function readPodSecurityConfiguration(configuration: PluginConfiguration | undefined): PodSecurityConfiguration {
  const group = "pod-security.admission.config.k8s.io";
  const { defaults = {}, exemptions = {} } = configuration
    ? readConfiguration<Document>(configuration, {
        [`${group}/v1`]: kind,
        [`${group}/v1beta1`]: kind,
        [`${group}/v1alpha1`]: kind,
      })
    : ({} as Document);
  const problems: FieldError[] = [];
  const read = (mode: string): LevelVersion => {
    const [levelText, versionText] = [defaults[mode] || "privileged", defaults[`${mode}-version`] || "latest"];
    const [level, version] = [readLevel(levelText), readVersion(versionText)];
    if (level === undefined) problems.push(invalid(fieldPath("defaults", mode), levelText, levelProblem));
    if (version === undefined)
      problems.push(invalid(fieldPath("defaults", `${mode}-version`), versionText, versionProblem));
    return { level: level ?? "privileged", version: version ?? "latest" };
  };
  // Problems are reported in this order.
  const [enforce, warn, audit] = [read("enforce"), read("warn"), read("audit")];
  const { namespaces = [], runtimeClasses = [], usernames = [] } = exemptions;
  append(problems, [
    ...checkNames("namespaces", namespaces, checkDnsLabel),
    ...checkNames("runtimeClasses", runtimeClasses, checkDnsSubdomain),
    ...checkNames("usernames", usernames, (name) => (name === "" ? ["username must not be empty"] : [])),
  ]);
  const text = fieldErrorsText(problems);
  if (text !== undefined) throw new Error(`PodSecurity invalid: ${text}`);
  return { defaults: { enforce, audit, warn }, exemptions: { usernames, namespaces, runtimeClasses } };
}

function checkNames(
  member: string,
  names: readonly string[],
  check: (name: string) => readonly string[],
): FieldError[] {
  return names.flatMap((name, i) => {
    const path = fieldPath("exemptions", member).index(i);
    const wrong = check(name);
    if (wrong.length > 0) return [invalid(path, name, wrong.join(", "))];
    return names.indexOf(name) < i ? [duplicate(path, name)] : [];
  });
}
