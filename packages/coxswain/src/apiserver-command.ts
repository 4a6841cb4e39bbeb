import { systemClock } from "@coxswain/apimachinery/clock";
import type { AuthorizationMode } from "@coxswain/apiserver";
import { FlagError, formatHelp, parseFlags } from "@coxswain/component/flags";
import { createLogger, type LogLevel } from "@coxswain/component/log";
import { apiserverFlags } from "./apiserver-flags.js";
import type { Command } from "./command.js";
import { engineFrom } from "./engine-flags.js";
import { type RunningServer, runApiserver } from "./run-apiserver.js";
import { parsePortRange } from "./port-range.js";
import { untilSignal } from "./until-signal.js";

export const apiserverCommand: Command = {
  name: "apiserver",
  summary: "Serves the Kubernetes API, in the foreground.",
  async run(args) {
    const parsed = parseFlags(apiserverFlags, args);
    if (parsed.kind === "help") {
      process.stdout.write(formatHelp(apiserverFlags, { usage: "coxswain apiserver [flags]", description: "Serves the Kubernetes API in the foreground until it is interrupted." }));
      return 0;
    }
    const { options } = parsed;
    if (options.encryptionProviderConfigAutomaticReload && options.encryptionProviderConfig === undefined) throw new FlagError("--encryption-provider-config-automatic-reload must be set with --encryption-provider-config");
    const log = createLogger({
      clock: systemClock,
      sink: (line) => process.stderr.write(line),
      level: options.logLevel as LogLevel,
      format: options.loggingFormat as "text" | "json",
    });
    const server = await runApiserver(
      {
        dataDir: options.dataDir,
        bindAddress: options.bindAddress,
        securePort: options.securePort,
        writeKubeconfig: options.writeKubeconfig,
        engine: engineFrom(options, parsed.given),
        encryptionProviderConfig: options.encryptionProviderConfig,
        reloadEncryption: options.encryptionProviderConfigAutomaticReload,
        authorizationModes: options.authorizationMode as readonly AuthorizationMode[],
        tokenAuthFile: options.tokenAuthFile,
        featureGates: options.featureGates,
        runtimeConfig: options.runtimeConfig,
        allowPrivileged: options.allowPrivileged,
        admissionPlugins: { enabled: options.enableAdmissionPlugins, disabled: options.disableAdmissionPlugins },
        admissionConfigFile: options.admissionControlConfigFile,
        serviceClusterIpRanges: options.serviceClusterIpRange,
        serviceNodePorts: parsePortRange(options.serviceNodePortRange),
        advertiseAddress: options.advertiseAddress,
        requestTimeoutMs: options.requestTimeout,
        minWatchMs: options.minRequestTimeout * 1000,
      },
      log,
    );
    greet(server);
    return serveUntilTold(server, log.error);
  },
};

function greet({ url, kubeconfig }: RunningServer): void {
  process.stdout.write(`Serving Kubernetes 1.36 on ${url}\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n\nCtrl-C stops it.\n`);
}

/** Until a signal, or until the store fails: then it ends with 1, so that whoever watches over it notices. */
async function serveUntilTold(server: RunningServer, say: (message: string, fields?: { error: unknown }) => void): Promise<number> {
  const failure = server.failed.catch((error: unknown) => {
    say("the store failed", { error });
    return "failed" as const;
  });
  const outcome = await Promise.race([untilSignal().then(() => "told" as const), failure]);
  await server.stop();
  return outcome === "told" ? 0 : 1;
}
