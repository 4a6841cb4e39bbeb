import { kubernetesRelease } from "@coxswain/api/release";
import { connect, loadConfig } from "@coxswain/client/node";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { createMetrics } from "@coxswain/component/metrics";
import { socketsOnly, startGateway } from "@coxswain/gateway";
import { systemRuntime } from "@coxswain/runtime";
import { gatewayAddressesFrom } from "../command/gateway-addresses.js";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { gatewayFlags } from "./gateway-flags.js";
import { placeAmongProcesses, runProcesses, untilAskedToStop } from "./processes.js";

export async function runGateway(args: readonly string[]): Promise<number> {
  if (args[0] === "translate") return (await import("./translate-command.js")).runTranslate(args.slice(1));
  const parsed = parseOnlyFlags(gatewayFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(gatewayFlags, {
        usage: "coxswain gateway [flags]",
        description:
          "Serves the Ingresses, Gateways and routes of any cluster on this machine, in the foreground.\n`coxswain gateway translate` prints Gateway API objects for Ingresses.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  const log = loggerFrom(options);
  const asked = untilSignal();
  const runtime = systemRuntime({ log, metrics: createMetrics() });
  const place = placeAmongProcesses();
  if (options.processes > 1 && place === undefined) {
    await runProcesses(options.processes, runtime, asked);
    return 0;
  }
  const signal = place === undefined ? asked : Promise.race([asked, untilAskedToStop()]);
  const addresses = gatewayAddressesFrom(options.gatewayAddresses, options.bindAddress);
  const client = connect(loadConfig(options.kubeconfig === undefined ? {} : { path: options.kubeconfig }), {
    userAgent: `coxswain-gateway/${kubernetesRelease.gitVersion}`,
    onWarning: () => {},
  });
  const gateway = startGateway({
    runtime,
    client,
    network: socketsOnly,
    ...(options.accessLog && { accessLog: (entry) => log.info("request", { ...entry }) }),
    addresses,
    ingress: { address: options.bindAddress, httpPort: options.httpPort, httpsPort: options.httpsPort },
    portOffset: options.portOffset,
    isFirst: !place,
  });
  gateway.ready.then(
    () => place || process.stdout.write(`Serving Ingresses on ${options.bindAddress}:${options.httpPort}\n`),
    () => {}, // it was stopped before
  );
  try {
    await signal;
    return 0;
  } finally {
    await gateway.stop();
    await client.close();
  }
}
