import { execFileSync } from "node:child_process";
import type { Story, StoryContext } from "../stories/index.js";

/** A cluster with a console, as stories need it. */
export interface ConsoleServer {
  /** Opens one session. */
  readonly link: string;
  /** What it has of what only our server can have. */
  readonly has: ReadonlySet<NonNullable<Story["needs"]>>;
  readonly nodes: readonly string[];
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** kubectl on a cluster, as stories use it: a failure is an error with what it printed. */
export function kubectlOf(kubeconfig: string): Pick<StoryContext, "kubectl" | "feed"> {
  const run = (input: string | undefined, args: readonly string[]): string =>
    execFileSync("kubectl", ["--kubeconfig", kubeconfig, ...args], {
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
      ...(input !== undefined && { input }),
    });
  return { kubectl: (...args) => run(undefined, args), feed: (text, ...args) => run(text, args) };
}
