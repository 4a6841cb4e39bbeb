import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../clients/run-program.js";
import type { Suite } from "./project.js";

export interface SpecResult {
  readonly name: string;
  readonly isPassed: boolean;
  /** Needs a garbage collector or a namespace controller, which etcd and kube-apiserver alone do not have. */
  readonly needsControllers: boolean;
}

export interface SuiteResult {
  readonly specs: readonly SpecResult[];
  /** How long `BeforeSuite` took, which starts the environment; undefined where there was nothing to start it for. */
  readonly startSeconds: number | undefined;
  /** What it printed. */
  readonly output: string;
}

export interface SuiteOptions {
  /** KUBEBUILDER_ASSETS */
  readonly assets: string;
  /** How long a spec waits for what shall come about. @default 60 */
  readonly patienceSeconds?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Of Ginkgo's JSON report, what is read here. */
interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly LeafNodeLabels: readonly string[] | null;
  readonly State: string;
  /** Nanoseconds. */
  readonly RunTime: number;
}

/** Runs compiled Ginkgo tests, as `go test` does. */
export async function runSuite(suite: Suite, options: SuiteOptions): Promise<SuiteResult> {
  const { assets, patienceSeconds = 60, env } = options;
  const folder = mkdtempSync(join(tmpdir(), "coxswain-suite-"));
  const report = join(folder, "report.json");
  const { stdout, stderr } = await runProgram(suite.program, [`-ginkgo.json-report=${report}`, "-ginkgo.no-color"], {
    cwd: suite.folder,
    env: {
      KUBEBUILDER_ASSETS: assets,
      // Some of the specs need the garbage collector and namespaces that go; the real assets do not know the variable.
      COXSWAIN_ENVTEST_CONTROLLERS: "usual",
      GOMEGA_DEFAULT_EVENTUALLY_TIMEOUT: `${patienceSeconds}s`,
      // envtest's own default of 20 s is too short for a machine that is busy with other tests.
      KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "120s",
      KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: "120s",
      ...env,
    },
  });
  const output = `${stdout}${stderr}`;
  try {
    const [{ SpecReports: given }] = JSON.parse(readFileSync(report, "utf8")) as [{ SpecReports: SpecReport[] | null }];
    const reports = given ?? []; // there is nothing to run in a suite without specs
    const start = reports.find(({ LeafNodeType: type }) => type === "BeforeSuite");
    return { specs: reports.flatMap(specOf), startSeconds: start && start.RunTime / 1e9, output };
  } catch (cause) {
    throw new Error(`the suite ${suite.name} left no report:\n${output}`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function specOf(report: SpecReport): SpecResult[] {
  if (report.LeafNodeType !== "It") return [];
  const name = [...(report.ContainerHierarchyTexts ?? []), report.LeafNodeText].join(": ");
  const needsControllers = report.LeafNodeLabels?.includes("needs-controllers") ?? false;
  return [{ name, isPassed: report.State === "passed", needsControllers }];
}
