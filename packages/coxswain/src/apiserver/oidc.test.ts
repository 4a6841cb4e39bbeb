import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "@coxswain/runtime/random";
import { removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { keySet, signingKey, signToken } from "@coxswain/wire/jwt";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { expect, it } from "vitest";

it("an AuthenticationConfiguration is followed while the server runs", { timeout: 60_000 }, async () => {
  const life = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000, random: systemRandom };
  const ca = createAuthority({ ...life, subject: { commonName: "issuer-ca" } });
  const identity = createServerIdentity(ca, { ...life, subject: { commonName: "issuer" }, hosts: ["127.0.0.1"] });
  const key = signingKey();
  const issuer = createServer(
    { cert: identity.pem, key: encodePrivateKey(identity.privateKey) },
    (asked, answer) =>
      void answer.end(JSON.stringify(asked.url === "/keys" ? keySet([key]) : { issuer: url, jwks_uri: `${url}/keys` })),
  );
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(issuer.address() as AddressInfo).port}`;

  const folder = mkdtempSync(join(tmpdir(), "coxswain-oidc-"));
  const file = join(folder, "authentication.yaml");
  const write = (prefix: string | undefined): void =>
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "AuthenticationConfiguration",
        jwt: [
          {
            issuer: { url, audiences: ["kube"], certificateAuthority: ca.pem },
            claimMappings: { username: { claim: "sub", prefix } },
          },
        ],
      }),
    );
  write("one:");
  const server = await startCoxswain({ args: ["--authentication-config", file] });
  const token = signToken({ iss: url, aud: "kube", sub: "jane", exp: Math.floor(Date.now() / 1000) + 600 }, key);
  /** Who may not read nodes, by name; or the code. */
  const refused = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: server.port,
          path: "/api/v1/nodes",
          agent: false,
          ca: readFileSync(join(server.dataDir, "pki/ca.crt"), "utf8"),
          headers: { authorization: `Bearer ${token}` },
        },
        (answer) => {
          let text = "";
          answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
          answer.on("end", () => resolve(/User \\"([^\\"]+)\\"/.exec(text)?.[1] ?? String(answer.statusCode)));
        },
      );
      sent.on("error", reject).end();
    });
  expect(await refused()).toBe("one:jane");
  write("two:");
  await expect.poll(refused, { timeout: 10_000 }).toBe("two:jane");
  write(undefined);
  await expect.poll(() => server.output(), { timeout: 10_000 }).toContain("prefix is required when claim is set");
  expect(await refused()).toBe("two:jane");
  expect(server.output()).not.toContain(token);
  await server.stop();
  await new Promise<void>((resolve) => void issuer.close(() => resolve()));
  removeDataDir(server);
  rmSync(folder, { recursive: true });
});
