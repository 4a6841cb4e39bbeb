import { systemClock } from "@coxswain/apimachinery/clock";
import { formatHelp, type ParsedFlags, parseFlags } from "@coxswain/component/flags";
import { admissionFrom } from "./admission-flags.js";
import { apiFrom, serviceRoutingFrom } from "./api-flags.js";
import { apiserverFlags } from "./apiserver-flags.js";
import { auditFrom } from "./audit-options.js";
import { authenticationFrom } from "./authentication.js";
import { authorizationFrom } from "./authorizers.js";
import type { Command } from "./command.js";
import { eventsFrom } from "./event-flags.js";
import { flagTexts } from "./flag-texts.js";
import { readFlagFile } from "./flag-file.js";
import { boundHeapGrowth } from "./heap-growth.js";
import { kubeletFrom } from "./kubelet-flags.js";
import { limitsFrom } from "./limit-flags.js";
import { listeningFrom } from "./listening-flags.js";
import { loggerFrom } from "./log-flags.js";
import { type RunningServer, runApiserver } from "./run-apiserver.js";
import { servicesFrom } from "./service-flags.js";
import { shutdownFrom } from "./shutdown-flags.js";
import { storeFrom } from "./store-flags.js";
import { surfaceFrom } from "./surface-flags.js";
import { refuseUnsupported } from "./unsupported-flags.js";
import { untilSignal } from "./until-signal.js";

export const apiserverCommand: Command = {
  name: "apiserver",
  summary: "Serves the Kubernetes API, in the foreground.",
  async run(args) {
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
    const server = await runApiserver(
      {
        dataDir: options.dataDir,
        writeKubeconfig: options.writeKubeconfig,
        store: storeFrom(options, given),
        listening: listeningFrom(options),
        authentication: authenticationFrom(options, given, options.authorizationMode),
        authorization: authorizationFrom(options, given),
        kubelet: kubeletFrom(options),
        shutdown: shutdownFrom(options),
        server: {
          api: apiFrom(options),
          admission: admissionFrom(options),
          serviceRouting: serviceRoutingFrom(options),
          services: servicesFrom(options),
          events: eventsFrom(options),
          limits: limitsFrom(options),
          surface: { ...surfaceFrom(options), flags: () => flagTexts(apiserverFlags, options) },
          audit: auditFrom(options, log),
        },
      },
      log,
    );
    boundHeapGrowth(systemClock);
    const told = untilSignal(); // before the greeting: whoever reads it may end the server at once
    greet(server);
    return serveUntilTold(server, told, log.error);
  },
};

/** What `--config` names is read as if it stood on the command line, where the command line does not say otherwise. */
async function parseWithFile(args: readonly string[]): Promise<ParsedFlags<typeof apiserverFlags>> {
  const parsed = parseFlags(apiserverFlags, args);
  if (parsed.kind === "help" || parsed.options.config === undefined) return parsed;
  return parseFlags(apiserverFlags, [
    ...(await readFlagFile(parsed.options.config, apiserverFlags, parsed.given)),
    ...args,
  ]);
}

function greet({ url, kubeconfig }: RunningServer): void {
  process.stdout.write(
    `Serving Kubernetes 1.36 on ${url}\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n\nCtrl-C stops it.\n`,
  );
}

/** Until a signal, or until the store fails: then it ends with 1, so that whoever watches over it notices. */
async function serveUntilTold(
  server: RunningServer,
  told: Promise<unknown>,
  say: (message: string, fields?: { error: unknown }) => void,
): Promise<number> {
  const failure = server.failed.catch((error: unknown) => {
    say("the store failed", { error });
    return "failed" as const;
  });
  const outcome = await Promise.race([told.then(() => "told" as const), failure]);
  await server.stop();
  return outcome === "told" ? 0 : 1;
}
