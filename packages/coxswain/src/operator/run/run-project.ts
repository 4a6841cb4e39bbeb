import { join } from "node:path";
import { isStatusError } from "@coxswain/apimachinery/status";
import { type Client, isTransportError } from "@coxswain/client";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import type { ProjectPlace } from "../../project/subcommand.js";
import { applyDefinitions } from "../apply/apply-object.js";
import { ManifestError } from "../apply/read-manifests.js";
import { checkTypes } from "../check-types.js";
import { BundleError } from "../esbuild.js";
import { createChangeQueue } from "./change-queue.js";
import type { LocalWebhooks } from "./local-webhooks.js";
import { type OperatorProcess, startOperatorProcess } from "./operator-process.js";
import { isSameRun, type PreparedRun, prepareRun, programFile } from "./prepare-run.js";
import { createRegisteredWebhooks } from "./registered-webhooks.js";
import { watchSources } from "./watch-sources.js";

export interface RunProjectOptions {
  readonly client: Client;
  /** Flags of the operator's program. */
  readonly args: readonly string[];
  /** Undefined: the API server cannot call them. */
  readonly webhooks: LocalWebhooks | undefined;
  /** Whether it is started again when sources change. */
  readonly watch: boolean;
  /** Whether types are checked beside it. */
  readonly types: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

type Event = { at: "stopped" } | { at: "changed"; paths: readonly string[] } | { at: "ended"; code: number };

/** Runs the operator until the signal aborts, anew with each change of its sources. The number is the exit code. */
export async function runProject(place: ProjectPlace, options: RunProjectOptions): Promise<number> {
  const { directory, print, printError } = place;
  const { client, webhooks, signal, clock = systemClock } = options;
  const changes = createChangeQueue();
  const watching = options.watch ? watchSources(directory, changes.add, clock) : undefined;
  const registered = createRegisteredWebhooks(client);
  const stopped = new Promise<Event>((resolve) => {
    const stop = (): void => resolve({ at: "stopped" });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  let running:
    | { readonly prepared: PreparedRun; readonly process: OperatorProcess; readonly served: Promise<void> }
    | undefined;
  let checking = new AbortController();

  async function update(): Promise<boolean> {
    const began = clock.monotonic();
    const took = (): string => `(${Math.round(clock.monotonic() - began)} ms)`;
    const prepared = await prepareRun(place, webhooks);
    if (!prepared) return false;
    if (isSameRun(running?.prepared, prepared)) return reportUnchanged(print, took());
    await running?.process.stop();
    for (const definition of prepared.delivered) await registered.remember(definition);
    await applyDefinitions(client, prepared.definitions, { signal });
    print(`✓ ${counted(prepared.definitions.length, "CustomResourceDefinition")} applied ${took()}`);
    if (signal.aborted) return true;
    const program = join(directory, programFile);
    const process = startOperatorProcess({ directory, program, args: options.args, print: printError });
    running = { prepared, process, served: whenStarted(process, prepared, took) };
    return true;
  }

  async function whenStarted(process: OperatorProcess, prepared: PreparedRun, took: () => string): Promise<void> {
    if ((await process.started) === "ended") return;
    try {
      await registered.register(prepared.configurations);
      if (prepared.configurations.length > 0) print(`✓ webhooks are called at ${webhooks?.address}`);
      print(`✓ the operator runs ${took()}`);
    } catch (error) {
      printError(textOf(error));
    }
  }

  function check(): void {
    checking.abort();
    checking = new AbortController();
    if (!options.types) return;
    const { signal: ending } = checking;
    // Beside the operator: a project that runs is not held back by a type.
    void (running?.served ?? Promise.resolve())
      .then(() => (ending.aborted ? undefined : checkTypes(directory, ending)))
      .then((errors) => errors !== undefined && printError(errors));
  }

  async function tryUpdate(): Promise<boolean> {
    try {
      return await update();
    } catch (error) {
      printError(textOf(error));
      return false;
    }
  }

  try {
    if (!(await tryUpdate()) && !options.watch) return 1;
    for (;;) {
      check();
      const current = running?.process;
      const ended = current?.ended.then(({ code }): Event => ({ at: "ended", code: code ?? 1 }));
      const changed = changes.next().then((paths): Event => ({ at: "changed", paths }));
      const event = await Promise.race([stopped, changed, ...(ended ? [ended] : [])]);
      if (event.at === "stopped") return 0;
      if (event.at === "ended") {
        running = undefined;
        if (!options.watch) return event.code;
        printError(`the operator ended with code ${event.code}: it is started again when a source changes`);
        const next = await Promise.race([stopped, changed]);
        if (next.at !== "changed") return 0;
        print(`${next.paths.join(", ")} changed`);
      } else if (event.at === "changed") print(`${event.paths.join(", ")} changed`);
      await tryUpdate();
    }
  } finally {
    checking.abort();
    watching?.stop();
    await running?.process.stop();
    await running?.served;
    await registered.remove().catch((error: unknown) => printError(textOf(error)));
    print("✓ stopped");
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What a user can act upon; anything else is a mistake of ours. */
function textOf(error: unknown): string {
  const isExpected =
    isStatusError(error) || isTransportError(error) || error instanceof BundleError || error instanceof ManifestError;
  if (!isExpected) throw error;
  return (error as Error).message;
}

function reportUnchanged(print: ProjectPlace["print"], took: string): true {
  print(`✓ nothing to start again ${took}`);
  return true;
}
