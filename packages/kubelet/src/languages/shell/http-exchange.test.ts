import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContainerNetwork } from "./network.js";
import { runShell } from "./shell.test.support.js";

const random = { bytes: (length: number) => new Uint8Array(length).fill(0xa5) };
const validity = { notBefore: Date.now() - 1000, notAfter: Date.now() + 3_600_000, random };
const authority = createAuthority({ subject: { commonName: "ca" }, ...validity });
const identity = createServerIdentity(authority, { subject: { commonName: "api" }, hosts: ["api"], ...validity });
const server = createServer({ cert: identity.pem, key: encodePrivateKey(identity.privateKey) }, (request, answer) =>
  answer.end(`${request.headers.authorization ?? "nobody"}\n`),
);
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

/** Where every name is a server that speaks TLS. */
const network: ContainerNetwork = {
  nameServer: "10.0.0.1",
  lookup: async (name) => ({ kind: "found", name, data: ["10.0.0.2"] }),
  connect: async () => ({
    kind: "connected",
    stream: connect((server.address() as AddressInfo).port, "127.0.0.1"),
    isTlsServer: true,
  }),
};

const authorityFile = `printf '%s' '${authority.pem}' > /ca`;
const requests: { name: string; script: string; out: string; err?: string; code?: number }[] = [
  {
    name: "curl trusts the authority it is given",
    script: `${authorityFile}; curl -s --cacert /ca -H 'Authorization: me' https://api`,
    out: "me\n",
  },
  {
    name: "curl trusts nobody else",
    script: "curl -sS https://api",
    out: "",
    err: "curl: (60) SSL certificate problem: unable to get local issuer certificate\n",
    code: 60,
  },
  {
    name: "curl refuses a certificate of another name",
    script: `${authorityFile}; curl -s --cacert /ca https://other`,
    out: "",
    code: 60,
  },
  {
    name: "curl names a file of authorities that is not there",
    script: "curl --cacert /none https://api",
    out: "",
    err: "curl: (77) error setting certificate verify locations:  CAfile: /none\n",
    code: 77,
  },
  {
    name: "curl -k and wget look at no certificate",
    script: "curl -sk https://api; wget -qO- https://other",
    out: "nobody\nnobody\n",
  },
];

describe("HTTPS from a simulated container", () => {
  for (const { name, script, out, err, code = 0 } of requests)
    it(name, async () => {
      const shell = runShell(script, { network });
      expect(await shell.ended).toBe(code);
      expect(shell.out()).toBe(out);
      if (err !== undefined) expect(shell.err()).toBe(err);
    });
});
