import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { convertReview } from "./convert-review.js";

/** Where definitions find a conversion webhook. */
export interface ConversionWebhook {
  readonly url: string;
  /** In base64, as a definition has it. */
  readonly caBundle: string;
}

/** A webhook server for both API servers, so that what differs is theirs. */
export async function startConversionServer(): Promise<ConversionWebhook & { stop(): Promise<void> }> {
  const now = systemClock.now();
  const life = { notBefore: now - 60_000, notAfter: now + 24 * 3_600_000, random: systemRandom };
  const authority = createAuthority({ ...life, subject: { commonName: "conversion" } });
  const identity = createServerIdentity(authority, { ...life, subject: { commonName: "hook" }, hosts: ["127.0.0.1"] });
  const server = createServer(
    { cert: identity.pem, key: encodePrivateKey(identity.privateKey) },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const answer = convertReview(Buffer.concat(chunks).toString("utf8"));
        if (!answer) return void request.socket.destroy();
        response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
      });
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`,
    caBundle: Buffer.from(authority.pem).toString("base64"),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
