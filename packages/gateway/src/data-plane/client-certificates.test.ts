import { generateKeyPairSync } from "node:crypto";
import { connect } from "node:tls";
import {
  createAuthority,
  createClientIdentity,
  createServerIdentity,
  encodePrivateKey,
  type Identity,
  issueCertificate,
} from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClientValidation, TlsPort } from "../engine/engine.js";
import type { BuiltInEngine } from "./built-in-engine.js";
import { freePort, runtime, startEngine } from "./engine.test.support.js";

const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000, random: runtime.random };

function createRsaAuthority(): Identity {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const template = { subject: { commonName: "authority" }, publicKey, isCa: true, ...validity };
  return { ...issueCertificate(template, { privateKey }, runtime.random), privateKey };
}

/** A client's certificate that names an authority which did not sign it. */
function forge({ certificate }: Identity, { privateKey }: Identity): Identity {
  const template = { subject: { commonName: "client" }, publicKey: privateKey, ...validity };
  return { ...issueCertificate(template, { certificate, privateKey }, runtime.random), privateKey };
}

describe("a listener with authorities for clients", () => {
  const [ours, theirs] = [createRsaAuthority(), createRsaAuthority()];
  const clients = {
    "a certificate of them": createClientIdentity(ours, { subject: { commonName: "client" }, ...validity }),
    "a forged certificate": forge(ours, theirs),
    "no certificate": undefined,
  };
  const authority = createAuthority({ subject: { commonName: "servers" }, ...validity });
  const { pem, privateKey } = createServerIdentity(authority, { subject: {}, hosts: ["a.test"], ...validity });
  let engine: BuiltInEngine;
  let ports: Record<ClientValidation["mode"], number>;

  beforeAll(async () => {
    ports = { AllowValidOnly: await freePort(), AllowInsecureFallback: await freePort() };
    const portOf = (mode: ClientValidation["mode"]): TlsPort => ({
      protocol: "tls",
      address: "127.0.0.1",
      port: ports[mode],
      redirectPorts: { http: 80, https: 443 },
      listeners: [
        {
          kind: "https",
          name: "edge/secure",
          hostname: "",
          entries: [],
          certificates: [{ certificate: pem, key: encodePrivateKey(privateKey) }],
          clientValidation: { authorities: ours.pem, mode },
        },
      ],
    });
    engine = await startEngine([portOf("AllowValidOnly"), portOf("AllowInsecureFallback")]);
  });
  afterAll(() => engine.close());

  const rows: { mode: ClientValidation["mode"]; client: keyof typeof clients; isServed: boolean }[] = [
    { mode: "AllowValidOnly", client: "a certificate of them", isServed: true },
    { mode: "AllowValidOnly", client: "a forged certificate", isServed: false },
    { mode: "AllowValidOnly", client: "no certificate", isServed: false },
    { mode: "AllowInsecureFallback", client: "a certificate of them", isServed: true },
    { mode: "AllowInsecureFallback", client: "a forged certificate", isServed: true },
    { mode: "AllowInsecureFallback", client: "no certificate", isServed: true },
  ];
  for (const { mode, client, isServed } of rows)
    it(`${isServed ? "serves" : "does not serve"} a client with ${client}: ${mode}`, async () => {
      const identity = clients[client];
      const shown = identity && { cert: identity.pem, key: encodePrivateKey(identity.privateKey) };
      const socket = connect({
        host: "127.0.0.1",
        port: ports[mode],
        servername: "a.test",
        ca: authority.pem,
        ...shown,
      });
      socket.on("error", () => {}); // "close" follows
      socket.write("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
      let text = "";
      socket.on("data", (chunk) => (text += chunk));
      await new Promise((resolve) => socket.once("close", resolve));
      expect(text.startsWith("HTTP/1.1 404")).toBe(isServed); // no route is for it
    });
});
