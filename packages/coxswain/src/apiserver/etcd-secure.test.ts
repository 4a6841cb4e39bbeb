import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { createGrpcClient, method } from "@coxswain/wire/grpc";
import { message } from "@coxswain/wire/protobuf";
import { createAuthority, createClientIdentity, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { expect, it } from "vitest";
import { connectApi } from "../testing/api-client.js";
import { builtEtcd, hasEtcd, startEtcd } from "../testing/etcd-process.js";
import { coxswain, runCoxswain } from "../testing/run-coxswain.js";

const programs = [
  { name: "the distribution's etcd", command: "etcd" },
  { name: "the etcd of Kubernetes 1.36", command: builtEtcd },
];
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" }, data: { where: "etcd" } };

for (const { name, command } of programs) {
  describeWith(
    `a server over ${name} that asks for a certificate and a password`,
    { found: hasEtcd(command), missing: name, timeout: 60_000 },
    () => {
      it("works with both, is seen by the store's commands, and is refused without one of them", async () => {
        const folder = mkdtempSync(join(tmpdir(), "coxswain-etcd-secure-"));
        const file = (base: string, content: string): string => (
          writeFileSync(join(folder, base), content), join(folder, base)
        );
        const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000, random: systemRandom };
        const authority = createAuthority({ subject: { commonName: "ca" }, ...validity });
        const server = createServerIdentity(authority, {
          subject: { commonName: "etcd" },
          hosts: ["127.0.0.1"],
          ...validity,
        });
        // Its name is no user of etcd's: who it is, etcd learns from the password.
        const client = createClientIdentity(authority, { subject: { commonName: "apiserver" }, ...validity });
        const ca = file("ca.crt", authority.pem);
        const etcd = await startEtcd({
          command,
          tls: {
            ca,
            certificate: file("server.crt", server.pem),
            key: file("server.key", encodePrivateKey(server.privateKey)),
          },
        });
        try {
          const identity = { ca: authority.pem, certificate: client.pem, key: encodePrivateKey(client.privateKey) };
          await enableAuth(etcd.url, identity);
          const certificate = `--etcd-cafile ${ca} --etcd-certfile ${file("client.crt", identity.certificate)} --etcd-keyfile ${file("client.key", identity.key)}`;
          const password = `--etcd-user kube --etcd-password-file ${file("password", "secret\n")}`;
          const servers = `--etcd-servers ${etcd.url}`;
          const running = await startCoxswain({
            dataDir: join(folder, "data"),
            args: `${servers} ${certificate} ${password}`.split(" "),
          });
          const api = connectApi(running.kubeconfig);
          await api.send("POST", "/api/v1/namespaces/default/configmaps", configMap);
          expect(await api.send("GET", "/api/v1/namespaces/default/configmaps/kept")).toMatchObject({
            data: { where: "etcd" },
          });
          api.close();
          await running.stop();
          expect(
            await coxswain(`store get configmaps/default/kept --storage etcd ${servers} ${certificate} ${password}`),
          ).toContain('"where": "etcd"');
          const refused = [
            { flags: `--etcd-cafile ${ca} ${password}`, without: "the certificate" },
            { flags: certificate, without: "the password" },
            {
              flags: `${certificate} --etcd-user kube --etcd-password-file ${file("wrong", "guess")}`,
              without: "the right password",
            },
            {
              flags: `${certificate.replace(ca, file("other.crt", createAuthority({ subject: { commonName: "other" }, ...validity }).pem))} ${password}`,
              without: "the right authority",
            },
          ];
          // Together: each tries for a while before it gives up.
          const ended = await Promise.all(
            refused.map(({ flags }) => runCoxswain(`store status --storage etcd ${servers} ${flags}`)),
          );
          for (const [i, { without }] of refused.entries())
            expect(ended[i], `without ${without}`).toMatchObject({
              code: 1,
              stdout: "",
              stderr: expect.stringContaining("coxswain: ") as string,
            });
        } finally {
          await etcd.stop();
          rmSync(folder, { recursive: true, force: true });
        }
      });
    },
  );
}

/** A root user as etcd wants one, and one with the right to every key: etcd 3.4 lets nobody else watch. */
async function enableAuth(
  url: string,
  tls: { readonly ca: string; readonly certificate: string; readonly key: string },
): Promise<void> {
  const grpc = createGrpcClient({ endpoints: [url], tls, clock: systemClock, random: systemRandom });
  const permission = message({
    type: { number: 1, type: "enum" },
    key: { number: 2, type: "bytes" },
    rangeEnd: { number: 3, type: "bytes" },
  });
  const call = (name: string, fields: Record<string, string | object>): Promise<unknown> => {
    const table = message(
      Object.fromEntries(
        Object.entries(fields).map(([key, value], index) => [
          key,
          { number: index + 1, type: typeof value === "string" ? "string" : permission },
        ]),
      ) as never,
    );
    return grpc.unary(method(`/etcdserverpb.Auth/${name}`, table, message({})), fields as never);
  };
  const everything = new Uint8Array(1);
  await call("UserAdd", { name: "root", password: "root" });
  await call("RoleAdd", { name: "root" });
  await call("UserGrantRole", { user: "root", role: "root" });
  await call("UserAdd", { name: "kube", password: "secret" });
  await call("RoleAdd", { name: "kube" });
  await call("RoleGrantPermission", { name: "kube", perm: { type: 2, key: everything, rangeEnd: everything } });
  await call("UserGrantRole", { user: "kube", role: "kube" });
  await call("AuthEnable", {});
  await grpc.close();
}
