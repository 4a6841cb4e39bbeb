import { formatHelp, type ParsedFlags, parseOnlyFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { boundHeapGrowth } from "../command/heap-growth.js";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { apiserverFlags } from "./apiserver-flags.js";
import { readFlagFile } from "./flag-file.js";
import { type RunningServer, runApiserver } from "./run-apiserver.js";
import { runOptionsFrom } from "./run-options.js";
import { serveUntilSignal } from "./serve-until-signal.js";
import { refuseUnsupported } from "./unsupported-flags.js";

/** Serves the Kubernetes API until a signal. */
export async function runApiserverCommand(args: readonly string[]): Promise<number> {
  refuseUnsupported(args);
  const parsed = await parseWithFile(args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(apiserverFlags, {
        usage: "coxswain apiserver [flags]",
        description: "Serves the Kubernetes API in the foreground until it is interrupted.",
      }),
    );
    return 0;
  }
  const { options, given } = parsed;
  const log = loggerFrom(options);
  const server = await runApiserver(await runOptionsFrom(options, given, log), log);
  boundHeapGrowth(systemClock);
  const signal = untilSignal(); // before the greeting: a client that reads it may end the server at once
  greet(server);
  return serveUntilSignal(server, signal, log);
}

/** The file that `--config` names is read as if its values stood on the command line; those that do stand there win. */
async function parseWithFile(args: readonly string[]): Promise<ParsedFlags<typeof apiserverFlags>> {
  const parsed = parseOnlyFlags(apiserverFlags, args);
  if (parsed.kind === "help" || parsed.options.config === undefined) return parsed;
  return parseOnlyFlags(apiserverFlags, [
    ...(await readFlagFile(parsed.options.config, apiserverFlags, parsed.given)),
    ...args,
  ]);
}

function greet({ url, kubeconfig }: RunningServer): void {
  process.stdout.write(
    `Serving Kubernetes 1.36 on ${url}\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n\nCtrl-C stops it.\n`,
  );
}
