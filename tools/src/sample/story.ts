import { runProgram } from "../clients/run-program.js";

/** One command of kubectl, and its output. */
export interface CommandResult {
  readonly command: string;
  readonly code: number | null;
  /** Standard output, or its error; ages and times replaced. */
  readonly text: string;
}

export interface StoryOptions {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** Where the sample API server listens on this machine. */
  readonly port: number;
}

/** How the sample API server is registered: by an external name, which needs no network of the cluster. */
const registration = (port: number): string => `
apiVersion: v1
kind: Namespace
metadata: {name: wardle}
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: wardle}
spec: {type: ExternalName, externalName: 127.0.0.1}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1alpha1.wardle.example.com}
spec:
  group: wardle.example.com
  version: v1alpha1
  groupPriorityMinimum: 1000
  versionPriority: 15
  insecureSkipTLSVerify: true
  service: {namespace: wardle, name: api, port: ${port}}
`;

const flunder = (reference: string): string => `
apiVersion: wardle.example.com/v1alpha1
kind: Flunder
metadata: {name: one, labels: {sample: "true"}}
spec: {reference: ${reference}}
`;

interface Step {
  readonly args: readonly string[];
  readonly input?: string;
}

const steps = (port: number): readonly Step[] => [
  { args: ["apply", "-f", "-"], input: registration(port) },
  { args: ["wait", "apiservice/v1alpha1.wardle.example.com", "--for=condition=Available", "--timeout=60s"] },
  { args: ["get", "apiservice", "v1alpha1.wardle.example.com", "--no-headers"] },
  { args: ["api-versions"] },
  { args: ["api-resources", "--api-group=wardle.example.com", "--no-headers"] },
  { args: ["get", "--raw", "/apis/wardle.example.com"] },
  { args: ["get", "--raw", "/apis/wardle.example.com/v1alpha1"] },
  { args: ["apply", "-f", "-"], input: flunder("first") },
  { args: ["apply", "-f", "-"], input: flunder("second") },
  { args: ["apply", "--server-side", "--force-conflicts", "-f", "-"], input: flunder("third") },
  { args: ["get", "flunders"] },
  { args: ["get", "flunders", "one", "-o", "jsonpath={.spec}"] },
  { args: ["get", "flunders", "-A", "-l", "sample=true", "-o", "name"] },
  { args: ["label", "flunder", "one", "more=1"] },
  { args: ["patch", "flunder", "one", "--type=json", '-p=[{"op":"remove","path":"/metadata/labels/more"}]'] },
  { args: ["explain", "flunders.spec"] },
  { args: ["get", "flunder", "nobody"] },
  { args: ["create", "-f", "-"], input: flunder("again") },
  { args: ["auth", "can-i", "create", "flunders.wardle.example.com"] },
  { args: ["wait", "flunder/one", "--for=jsonpath={.spec.reference}=third", "--timeout=10s"] },
  { args: ["delete", "flunder", "one"] },
  { args: ["get", "flunders"] },
  { args: ["delete", "apiservice", "v1alpha1.wardle.example.com"] },
  { args: ["get", "--raw", "/apis/wardle.example.com/v1alpha1"] },
];

/** Registers a sample API server, works with what it serves by kubectl, and takes it away again. */
export async function runSampleScenario({ kubectl, kubeconfig, port }: StoryOptions): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  for (const { args, input } of steps(port)) {
    const options = input === undefined ? {} : { input };
    const { code, stdout, stderr } = await runProgram(kubectl, ["--kubeconfig", kubeconfig, ...args], options);
    results.push({ command: args.join(" "), code, text: withoutTimes(code === 0 ? stdout : stderr) });
  }
  return results;
}

/** What differs from run to run. */
const withoutTimes = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>").replace(/ (\d+[smhd])+$/gm, " <age>");
