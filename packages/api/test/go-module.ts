import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The version of Kubernetes that the tables are generated from. */
const versions: Record<string, string> = { "k8s.io/kubernetes": "v1.36.4" };

/** The missing program that a suite which needs `goModule` names. */
export const goModules = "the modules of Kubernetes 1.36.4 in Go's module cache";

/** Where a published module is, if Go has it in its cache; nothing is downloaded. */
export function goModule(name: string): string | undefined {
  const wanted = `${name}@${versions[name] ?? "v0.36.4"}`;
  try {
    const env = { ...process.env, GOPROXY: "off", GOFLAGS: "-mod=mod" };
    const answer = JSON.parse(
      execFileSync("go", ["mod", "download", "-json", wanted], {
        cwd: "/",
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        env,
      }),
    ) as { Dir?: string };
    if (answer.Dir !== undefined && existsSync(answer.Dir)) return answer.Dir;
  } catch {
    // No Go, or not in its cache: the suite that asks is skipped by describeWith, which reports it.
  }
  return undefined;
}
