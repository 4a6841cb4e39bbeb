import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/**
 * Lets another thread read the root certificates that Node brings: it reads them all when the first TLS context is made, even
 * of one that names its own authorities, and that is a tenth of a server's start. They belong to the process, whoever read them.
 * A context that is made before they are there waits for the rest.
 */
export function readRootCertificatesMeanwhile(): void {
  if (availableParallelism() < 2) return;
  const reader = new Worker('require("node:tls").createSecureContext()', { eval: true, env: {}, execArgv: [], stdin: false, resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 } });
  reader.on("error", () => {}); // then they are read when they are needed
  reader.unref();
}
