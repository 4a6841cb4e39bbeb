import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createTransport, loadKubeconfig } from "@coxswain/client/node";
import { systemRuntime } from "@coxswain/runtime";
import type { TestClock } from "../time/test-clock.js";

/** The console of a test's cluster. */
export interface ServedConsole {
  /** Opens one page; works once. */
  readonly link: string;
  stop(): Promise<void>;
}

export interface ServeConsoleOptions {
  /** Of an administrator. */
  readonly kubeconfig: string;
  readonly clock: TestClock;
  readonly title: string;
}

/** Serves the console on a free port of loopback, in real time; its page may let the cluster's time pass. */
export async function serveTestConsole({ kubeconfig, clock, title }: ServeConsoleOptions): Promise<ServedConsole> {
  const { serveConsole } = await import("@coxswain/console/relay");
  const runtime = systemRuntime();
  const upstream = createTransport(loadKubeconfig({ path: kubeconfig }), { runtime });
  const relay = await serveConsole(runtime, {
    upstream,
    folder: filesOfConsole(),
    cluster: title,
    readOnly: false,
    ports: [0],
    clock: { now: () => clock.now(), advance: (ms) => clock.advance(ms) },
  });
  return {
    link: relay.createLink(),
    async stop() {
      await relay.stop();
      await upstream.close();
    },
  };
}

/** Pages, scripts and styles, which are part of the package and no modules. */
function filesOfConsole(): string {
  const relay = createRequire(import.meta.url).resolve("@coxswain/console/relay");
  // The same from sources, which tests run, as from the build.
  const folder = join(dirname(relay), "../../dist/files");
  if (!existsSync(folder)) throw new Error(`the console has no files in ${folder}: build the packages first`);
  return folder;
}
