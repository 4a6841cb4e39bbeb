import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExecConfig } from "../../kubeconfig/index.js";
import { createTestCertificates } from "../http/http-server.test.support.js";
import { certificateIdentity } from "./certificate-files.js";
import { type ExecPluginOptions, execIdentity } from "./exec-plugin.js";
import { basicAuth, combineIdentities, fixedIdentity, type Identity } from "./identity.js";
import { type OidcTokens, oidcIdentity } from "./oidc.js";
import { tokenFileIdentity } from "./token-file.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-auth-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const tokenOf = (identity: Identity): string | undefined => identity.headers["authorization"];

describe("a token file", () => {
  it("is read again after a while, and at once when the server refuses the token", async () => {
    const clock = createVirtualClock();
    const path = write("token", "one\n");
    const source = tokenFileIdentity(path, { clock });
    const first = await source.current();
    expect(tokenOf(first)).toBe("Bearer one");
    write("token", "two");
    expect(tokenOf(await source.current())).toBe("Bearer one");
    await clock.advance(60_000);
    expect(tokenOf(await source.current())).toBe("Bearer two");
    expect(await source.renew?.(first)).toBe(true);
    expect(await source.renew?.(await source.current())).toBe(false);
    write("token", "three");
    expect(await source.renew?.(await source.current())).toBe(true);
    expect(tokenOf(await source.current())).toBe("Bearer three");
  });
  it("that is gone for a moment keeps its token", async () => {
    const clock = createVirtualClock();
    const path = write("brief", "kept");
    const source = tokenFileIdentity(path, { clock });
    await source.current();
    rmSync(path);
    await clock.advance(60_000);
    expect(tokenOf(await source.current())).toBe("Bearer kept");
  });
});

it("client certificates are read again, and an unchanged pair stays the same object", async () => {
  const clock = createVirtualClock();
  const { client } = createTestCertificates();
  const [one, two] = [client("one"), client("two")];
  const pair = { cert: { file: write("cert", one.cert) }, key: { file: write("key", one.key) } };
  const source = certificateIdentity(pair, { clock });
  const first = await source.current();
  expect(await source.current()).toBe(first);
  write("key", two.key);
  await clock.advance(5 * 60_000);
  expect(await source.current(), "a certificate without its key is not used").toBe(first);
  write("cert", two.cert);
  await clock.advance(5 * 60_000);
  expect(await source.current()).toEqual({ headers: {}, certificate: two });
});

it("several sources make one identity", async () => {
  const source = combineIdentities([
    fixedIdentity({ headers: {}, certificate: { cert: "C", key: "K" } }),
    fixedIdentity(basicAuth("me", "pass")),
  ]);
  expect(await source.current()).toEqual({
    headers: { authorization: `Basic ${btoa("me:pass")}` },
    certificate: { cert: "C", key: "K" },
  });
});

describe("an exec plugin", () => {
  const clock = createVirtualClock({ startMs: Date.parse("2026-04-01T12:00:00Z") });
  const plugin = (status: string, more: Partial<ExecConfig> = {}): ExecConfig => ({
    apiVersion: "client.authentication.k8s.io/v1",
    command: process.execPath,
    args: [
      "-e",
      `const fs = require("fs"); const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
       const file = ${JSON.stringify(join(folder, "runs"))}; fs.appendFileSync(file, "x");
       const runs = fs.readFileSync(file, "utf8").length;
       console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: "ExecCredential", status: ${status} }));`,
    ],
    interactiveMode: "Never",
    ...more,
  });
  const options: ExecPluginOptions = {
    clock,
    environment: process.env,
    cluster: () => Promise.resolve({ server: "https://c", config: { audience: "a" } }),
    isTerminal: () => false,
  };
  it("is run once for many requests, again when it expires and when the server refuses", async () => {
    write("runs", "");
    const source = execIdentity(plugin('{ token: "t" + runs, expirationTimestamp: "2026-04-01T12:10:00Z" }'), options);
    const [one, same] = await Promise.all([source.current(), source.current()]);
    expect(tokenOf(one)).toBe("Bearer t1");
    expect(same).toBe(one);
    expect(await source.renew?.(one)).toBe(true);
    expect(tokenOf(await source.current())).toBe("Bearer t2");
    await clock.advance(11 * 60_000);
    expect(tokenOf(await source.current())).toBe("Bearer t3");
  });
  it("receives the cluster where it may, its own environment, and gives certificates", async () => {
    const source = execIdentity(
      plugin(
        '{ token: info.spec.cluster.config.audience + process.env.EXTRA + info.spec.interactive, clientCertificateData: "C", clientKeyData: "K" }',
        {
          provideClusterInfo: true,
          env: { EXTRA: "-extra-" },
        },
      ),
      options,
    );
    expect(await source.current()).toEqual({
      headers: { authorization: "Bearer a-extra-false" },
      certificate: { cert: "C", key: "K" },
    });
  });
  const failures = [
    {
      name: "that is not there: its install hint is shown, without escape codes",
      config: { command: "no-such-plugin", installHint: "install \u001b[1mit" },
      message: "no-such-plugin was not found\n\ninstall U+001B[1mit",
    },
    { name: "that fails", config: { args: ["-e", "process.exit(3)"] }, message: "failed with exit code 3" },
    { name: "that prints no JSON", config: { args: ["-e", "console.log('hi')"] }, message: "printed no JSON" },
    {
      name: "that answers in another version",
      config: {
        args: ["-e", `console.log('{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"}')`],
      },
      message: "is configured for client.authentication.k8s.io/v1, but printed client.authentication.k8s.io/v1beta1",
    },
    {
      name: "without a status",
      config: {
        args: ["-e", `console.log('{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"}')`],
      },
      message: "neither a token nor a certificate",
    },
    {
      name: "that must ask a person where there is none",
      config: { interactiveMode: "Always" as const },
      message: "standard input is not a terminal",
    },
  ];
  for (const { name, config, message } of failures)
    it(name, () => expect(execIdentity(plugin("{}", config), options).current()).rejects.toThrow(message));
});

describe("OIDC", () => {
  const token = (exp: number): string => `h.${Buffer.from(JSON.stringify({ exp })).toString("base64url")}.s`;
  it("refreshes an expiring token at its issuer and hands on the new ones", async () => {
    const clock = createVirtualClock({ startMs: 1_000_000 });
    const asked: string[] = [];
    const issuer = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""} ${body}`);
        const { port } = issuer.address() as AddressInfo;
        response.end(
          request.method === "GET"
            ? JSON.stringify({ token_endpoint: `http://127.0.0.1:${port}/token` })
            : JSON.stringify({ id_token: token(5000), refresh_token: "r2" }),
        );
      });
    });
    await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
    const { port } = issuer.address() as AddressInfo;
    const kept: OidcTokens[] = [];
    const source = oidcIdentity(
      {
        issuerUrl: `http://127.0.0.1:${port}/`,
        clientId: "kube",
        clientSecret: "s",
        idToken: token(1100),
        refreshToken: "r1",
      },
      { clock, onTokens: async (tokens) => void kept.push(tokens) },
    );
    expect(tokenOf(await source.current())).toBe(`Bearer ${token(1100)}`);
    await clock.advance(95_000);
    expect(tokenOf(await source.current())).toBe(`Bearer ${token(5000)}`);
    expect(kept).toEqual([{ idToken: token(5000), refreshToken: "r2" }]);
    expect(asked).toEqual([
      "GET /.well-known/openid-configuration  ",
      `POST /token Basic ${btoa("kube:s")} grant_type=refresh_token&refresh_token=r1`,
    ]);
    await new Promise((resolve) => issuer.close(resolve));
  });
  it("without a refresh token an expired token is an error", () => {
    const source = oidcIdentity(
      { issuerUrl: "http://idp", clientId: "kube", idToken: token(1) },
      { clock: createVirtualClock({ startMs: 1_000_000 }), onTokens: async () => {} },
    );
    return expect(source.current()).rejects.toThrow("has expired, and there is no refresh token");
  });
});
