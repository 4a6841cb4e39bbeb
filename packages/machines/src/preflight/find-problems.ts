import type { NeededProgram } from "./needed-programs.js";

/** What is known of this machine before anything is changed. */
export interface PreflightFacts {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** Those that were not found. */
  readonly missing: readonly NeededProgram[];
  /** Of containerd; undefined: it is not known. */
  readonly containerdMajor: number | undefined;
  /** File systems and settings of the kernel that are needed and neither there nor can be loaded. */
  readonly missingInKernel: readonly string[];
}

const withoutContainers = "simulated nodes need nothing: coxswain up";

/** Pure: why machines cannot be made here, as sentences; none: they can. */
export function findProblems(facts: PreflightFacts): string[] {
  if (facts.platform !== "linux")
    return [
      `real nodes need Linux, and this is ${systemNames[facts.platform] ?? facts.platform}; ${withoutContainers}`,
    ];
  const problems: string[] = [];
  if (!facts.isRoot)
    problems.push(`real nodes need root (sudo): they mount, make networks and control groups; ${withoutContainers}`);
  if (facts.missing.length > 0) problems.push(missingPrograms(facts.missing));
  if (facts.missingInKernel.length > 0)
    problems.push(`the kernel lacks ${facts.missingInKernel.join(" and ")}: load the modules, or use another kernel`);
  return problems;
}

const systemNames: Partial<Record<NodeJS.Platform, string>> = { darwin: "macOS", win32: "Windows" };

function missingPrograms(missing: readonly NeededProgram[]): string {
  const packagesOf = (system: "debian" | "fedora"): string =>
    [...new Set(missing.map((program) => program[system]))].join(" ");
  return `missing: ${missing.map(({ name }) => name).join(", ")}. Debian and Ubuntu: apt-get install ${packagesOf("debian")}; Fedora: dnf install ${packagesOf("fedora")}`;
}
