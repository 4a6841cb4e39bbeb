import { auditFrom, loadAccessExpressions } from "@coxswain/apiserver";
import type { OptionsOf } from "@coxswain/component/flags";
import type { Logger } from "@coxswain/runtime/log";
import { flagTexts } from "../command/flag-texts.js";
import { admissionFrom } from "./admission-flags.js";
import { aggregationFrom } from "./aggregation-flags.js";
import { apiFrom, serviceRoutingFrom } from "./api-flags.js";
import { apiserverFlags } from "./apiserver-flags.js";
import { authenticationFrom } from "./authentication.js";
import { authorizationFrom } from "./authorizers.js";
import { eventsFrom } from "./event-flags.js";
import { historyFrom } from "./history-flags.js";
import { kubeletFrom } from "./kubelet-flags.js";
import { limitsFrom } from "./limit-flags.js";
import { listeningFrom } from "./listening-flags.js";
import { observabilityFrom } from "./observability-flags.js";
import type { RunOptions } from "./run-apiserver.js";
import { servicesFrom } from "./service-flags.js";
import { shutdownFrom } from "./shutdown-flags.js";
import { storeFrom } from "./store-flags.js";

/** The options of an API server from its flags, by area. `given`: those that the user named. */
export async function runOptionsFrom(
  options: OptionsOf<typeof apiserverFlags>,
  given: ReadonlySet<string>,
  log: Logger,
): Promise<RunOptions> {
  // Only these files may hold expressions: who has neither does not load CEL.
  const hasFiles = options.authenticationConfig !== undefined || options.authorizationConfig !== undefined;
  const expressions = hasFiles ? await loadAccessExpressions() : undefined;
  return {
    dataDir: options.dataDir,
    writeKubeconfig: options.writeKubeconfig,
    store: storeFrom(options, given),
    listening: listeningFrom(options),
    authentication: authenticationFrom(options, given, options.authorizationMode, expressions),
    authorization: authorizationFrom(options, given, expressions),
    kubelet: kubeletFrom(options),
    aggregation: aggregationFrom(options),
    shutdown: shutdownFrom(options),
    server: {
      api: apiFrom(options),
      admission: admissionFrom(options),
      serviceRouting: serviceRoutingFrom(options),
      services: servicesFrom(options),
      events: eventsFrom(options),
      history: historyFrom(options, given),
      limits: limitsFrom(options),
      observability: { ...observabilityFrom(options), flags: () => flagTexts(apiserverFlags, options) },
      audit: auditFrom(options, log),
    },
  };
}
