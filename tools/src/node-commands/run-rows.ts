import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../clients/index.js";
import { commandRows } from "./command-rows.js";
import { normalize } from "./normalize.js";
import { awaited, image, scenePods } from "./scene.js";

/** What each row printed, by its name. */
export type Printed = Readonly<Record<string, string>>;

export interface RunRowsOptions {
  /** Which releases, and where each is. */
  readonly kubectls: ReadonlyMap<string, string>;
  readonly kubeconfig: string;
  readonly node: string;
  readonly only: RegExp | undefined;
  print(line: string): void;
}

/** Types all rows with each kubectl, each in a namespace with pods of its own. */
export async function runRows({ kubectls, kubeconfig, node, only, print }: RunRowsOptions): Promise<Printed> {
  const printed: Record<string, string> = {};
  for (const [minor, kubectl] of kubectls) {
    const namespace = `commands-${minor.replace(".", "-")}`;
    const run = async (args: readonly string[], input = ""): Promise<string> => {
      const result = await runProgram(kubectl, [`--kubeconfig=${kubeconfig}`, ...args], { input });
      if (result.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${result.stderr}`);
      return result.stdout;
    };
    await run(["create", "namespace", namespace]);
    await untilThere(() => run(["get", `--namespace=${namespace}`, "serviceaccount", "default"]));
    const list = { apiVersion: "v1", kind: "List", items: scenePods };
    await run(["create", `--namespace=${namespace}`, "--filename=-"], JSON.stringify(list));
    for (const [name, phase] of Object.entries(awaited)) {
      const wait = ["wait", `pod/${name}`, `--for=jsonpath={.status.phase}=${phase}`, "--timeout=300s"];
      await run([...wait, `--namespace=${namespace}`]);
    }
    const env = { K: `${kubectl} --namespace=${namespace}`, KUBECONFIG: kubeconfig, IMAGE: image, NODE: node };
    for (const { name, script } of commandRows) {
      if (only && !only.test(name)) continue;
      const cwd = mkdtempSync(join(tmpdir(), "node-commands-"));
      printed[`${minor}: ${name}`] = normalize(
        await runProgram("timeout", ["240", "bash", "-c", script], { env, cwd }),
      );
      rmSync(cwd, { recursive: true });
      print(`${minor}: ${name}`);
    }
  }
  return printed;
}

async function untilThere(ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return void (await ask());
    } catch (error) {
      if (attempt === 60) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
}
