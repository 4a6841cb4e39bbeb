import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { planCertificates } from "@coxswain/operator/node";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";

/** Where an operator that runs on this machine serves webhooks. */
export interface LocalWebhooks {
  /** `https://127.0.0.1:41235` */
  readonly address: string;
  /** In base64, as webhook configurations have it. */
  readonly caBundle: string;
  /** For the operator's program. */
  readonly flags: readonly string[];
}

const loopback = "127.0.0.1";

/** Chooses a free port and writes a certificate for it into `folder`. `host`: by which API servers elsewhere reach this machine. */
export async function prepareLocalWebhooks(folder: string, host: string = loopback): Promise<LocalWebhooks> {
  const bindHost = host === loopback ? loopback : "";
  const port = await freePort(bindHost);
  const { caCertificates, certificate, key } = planCertificates(undefined, {
    hosts: [host],
    commonName: host,
    now: systemClock.now(),
    random: systemRandom,
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "tls.crt"), certificate);
  writeFileSync(join(folder, "tls.key"), key, { mode: 0o600 });
  return {
    address: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    caBundle: Buffer.from(caCertificates).toString("base64"),
    flags: ["--webhook-cert-path", folder, "--webhook-bind-address", `${bindHost}:${port}`],
  };
}

const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen({ port: 0, ...(host !== "" && { host }) }, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
