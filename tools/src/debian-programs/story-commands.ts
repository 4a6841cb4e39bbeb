import { join } from "node:path";
import { eventually } from "../churn/eventually.js";
import { ownLauncher, runProgram } from "../clients/index.js";
import { page } from "./manifests.js";

export interface StoryCommands {
  /** @throws Error with what it prints, where it fails; so do all of these */
  coxswain(...args: string[]): Promise<string>;
  kubectl(args: readonly string[], input?: string): Promise<string>;
  helm(...args: string[]): Promise<string>;
  /** By the pod that asks. */
  ask(...command: string[]): Promise<string>;
  sql(text: string): Promise<string>;
  up(): Promise<void>;
  /** Resolves when all pods are. */
  ready(): Promise<void>;
  /** The page, the key and the table; a name or a connection may fail for a moment. */
  everythingIsThere(): Promise<void>;
}

export interface Programs {
  readonly kubectl: string;
  /** Undefined: no chart is installed. */
  readonly helm: string | undefined;
  readonly launcher: string | undefined;
}

export function expectText(found: string, wanted: string): void {
  if (found.trim() !== wanted) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
}

export interface Homes {
  /** Of clusters. */
  readonly clusters: string;
  /** Of kubectl and Helm, which keep what they have read there. */
  readonly user: string;
}

/** What a person types. */
export function storyCommands({ kubectl, helm, launcher = ownLauncher }: Programs, homes: Homes): StoryCommands {
  const { clusters, user } = homes;
  const env = { COXSWAIN_HOME: clusters, KUBECONFIG: join(clusters, "default/kubeconfig"), HOME: user };
  const run = async (program: string, args: readonly string[], input = ""): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(program, args, { env, input });
    if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  const flags = ["--runtime=containerd", "--nodes=2", "--detach", "--console=false", "--wait-timeout=5m0s"];
  const rolledOut = ["deployment/web", "statefulset/cache", "statefulset/database"];
  const commands: StoryCommands = {
    coxswain: (...args) => run(process.execPath, [launcher, ...args]),
    kubectl: (args, input) => run(kubectl, args, input),
    helm: (...args) => run(helm ?? "helm", args),
    ask: (...command) => run(kubectl, ["exec", "shell", "--", ...command]),
    sql: (text) => commands.ask("psql", "-h", "database", "-U", "postgres", "-tA", "-v", "ON_ERROR_STOP=1", "-c", text),
    up: async () => void (await commands.coxswain("up", ...flags)),
    async ready() {
      for (const name of rolledOut) await run(kubectl, ["rollout", "status", name, "--timeout=180s"]);
      await run(kubectl, ["wait", "--for=condition=Ready", "pod/shell", "--timeout=180s"]);
    },
    everythingIsThere: () =>
      eventually(() => problemOf(async () => everythingAnswers(commands)), { timeoutMs: 120_000, everyMs: 1000 }),
  };
  return commands;
}

async function everythingAnswers({ ask, sql }: StoryCommands): Promise<void> {
  expectText(await ask("curl", "-sSf", "http://web.default.svc.cluster.local/"), page);
  expectText(await ask("redis-cli", "-h", "cache", "get", "k"), "kept");
  expectText(await sql("select sum(n) from numbers"), "500500");
}

const problemOf = (work: () => Promise<void>): Promise<string | undefined> =>
  work().then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
