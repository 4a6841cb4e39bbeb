import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { systemRandom } from "@coxswain/runtime/random";
import { type CoxswainProcess, findKubectl, removeDataDir, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { cachedProgram, type ManagedProcess, startControllerManager } from "@coxswain/tools/upstream";
import {
  createCertificateRequest,
  createClientIdentity,
  encodePrivateKey,
  readCertificates,
} from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface Answer {
  readonly code: number;
  readonly body: string;
}

/** As curl would ask, with headers and perhaps a certificate. */
const curl = (
  server: CoxswainProcess,
  path: string,
  { headers = {}, cert, key }: { headers?: Record<string, string>; cert?: string; key?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const pki = (name: string): string => readFileSync(join(server.dataDir, "pki", name), "utf8");
    const sent = request(
      {
        host: "127.0.0.1",
        port: server.port,
        path,
        agent: false,
        ca: pki("ca.crt"),
        headers,
        ...(cert === undefined ? {} : { cert, key }),
      },
      (answer) => {
        let body = "";
        answer.on("data", (chunk: Buffer) => (body += chunk.toString()));
        answer.on("end", () => resolve({ code: answer.statusCode ?? 0, body }));
      },
    );
    sent.on("error", reject).end();
  });

const newest = cachedProgram("kubectl");
const kubectls = [
  ["1.27", findKubectl("1.27")],
  ["1.33", findKubectl("1.33")],
  ["1.36", newest],
] as const;

describe("authentication, as people use it", { timeout: 120_000 }, () => {
  let server: CoxswainProcess;
  beforeAll(async () => {
    server = await startCoxswain();
  });
  afterAll(async () => {
    await server.stop();
    removeDataDir(server);
  });

  for (const [minor, found] of kubectls) {
    describeWith(`kubectl ${minor}`, { found, missing: `kubectl ${minor}` }, (path) => {
      const name = `user-${minor.replace(".", "-")}`;
      const run = (
        args: string[],
        { kubeconfig = server.kubeconfig, input }: { kubeconfig?: string; input?: string } = {},
      ) =>
        runProgram(path as string, args, {
          env: { KUBECONFIG: kubeconfig, HOME: server.dataDir },
          ...(input === undefined ? {} : { input }),
        });
      const kubectl = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await run(args);
        if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
        return stdout;
      };
      const withToken = (token: string, ...args: string[]) =>
        run(
          [
            "--server",
            `https://127.0.0.1:${server.port}`,
            "--certificate-authority",
            join(server.dataDir, "pki/ca.crt"),
            "--token",
            token,
            ...args,
          ],
          { kubeconfig: "/dev/null" },
        );

      // 1.27 asks for versions of the API that 1.36 no longer serves.
      it.runIf(minor !== "1.27")("auth whoami", async () => {
        expect(await kubectl("auth", "whoami")).toMatch(
          /Username +kubernetes-admin\nGroups +\[system:masters system:authenticated\]\nExtra: authentication.kubernetes.io\/credential-id +\[X509SHA256=[0-9a-f]{64}\]/,
        );
        expect(
          JSON.parse(
            await kubectl("--as", "jane", "--as-group", "dev", "--as-uid", "7", "auth", "whoami", "-o", "json"),
          ),
        ).toMatchObject({
          status: { userInfo: { username: "jane", uid: "7", groups: ["dev", "system:authenticated"] } },
        });
      });
      it("create token, and --token", async () => {
        await kubectl("create", "serviceaccount", name);
        const token = (await kubectl("create", "token", name, "--duration", "20m")).trim();
        const refused = await withToken(token, "get", "pods");
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(
          `pods is forbidden: User "system:serviceaccount:default:${name}" cannot list resource "pods" in API group "" in the namespace "default"`,
        );
        await kubectl("create", "role", name, "--verb=get,list", "--resource=pods");
        await kubectl("create", "rolebinding", name, `--role=${name}`, `--serviceaccount=default:${name}`);
        expect((await withToken(token, "get", "pods", "-o", "name")).code).toBe(0);
        await kubectl("delete", "serviceaccount", name);
        const gone = await withToken(token, "get", "pods");
        expect(gone.stderr).toMatch(/You must be logged in to the server|Unauthorized/);
      });
      it("--as needs the right to it", async () => {
        const refused = await run(["--as", "jane", "get", "nodes"]);
        expect(refused.stderr).toContain(
          'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
        );
        expect(await kubectl("--as", "jane", "--as-group", "system:masters", "get", "nodes", "-o", "name")).toBe("");
      });
      it("certificate approve and deny", async () => {
        const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
        const csr = (asked: string) =>
          JSON.stringify({
            apiVersion: "certificates.k8s.io/v1",
            kind: "CertificateSigningRequest",
            metadata: { name: asked },
            spec: {
              request: Buffer.from(
                createCertificateRequest({ subject: { commonName: "jane", organizations: ["dev"] }, privateKey }),
              ).toString("base64"),
              signerName: "kubernetes.io/kube-apiserver-client",
              usages: ["client auth"],
            },
          });
        for (const verb of ["approve", "deny"]) {
          expect((await run(["create", "-f", "-"], { input: csr(`${name}-${verb}`) })).stderr).toBe("");
          expect(await kubectl("certificate", verb, `${name}-${verb}`)).toMatch(
            /certificatesigningrequest.certificates.k8s.io\/\S+ (approved|denied)/,
          );
        }
        expect(await kubectl("get", "csr", `${name}-approve`, "-o", "jsonpath={.status.conditions[*].type}")).toBe(
          "Approved",
        );
        expect(await kubectl("get", "csr", `${name}-deny`, "-o", "jsonpath={.status.conditions[*].type}")).toBe(
          "Denied",
        );
      });
    });
  }

  it("anonymous clients see health and nothing else", async () => {
    expect((await curl(server, "/readyz")).code).toBe(200);
    expect((await curl(server, "/api")).code).toBe(401);
    expect(
      (await curl(server, "/api", { headers: { "x-remote-user": "root", "x-remote-group": "system:masters" } })).code,
    ).toBe(401);
  });

  it("the front proxy of the data directory vouches for its clients", async () => {
    const pki = (file: string): string => readFileSync(join(server.dataDir, "pki", file), "utf8");
    const proxy = { cert: pki("front-proxy-client.crt"), key: pki("front-proxy-client.key") };
    const asked = await curl(server, "/api/v1/nodes", { ...proxy, headers: { "x-remote-user": "alice" } });
    expect(asked).toMatchObject({
      code: 403,
      body: expect.stringContaining('User \\"alice\\" cannot list resource \\"nodes\\"') as string,
    });
    expect(
      (
        await curl(server, "/api/v1/nodes", {
          ...proxy,
          headers: { "x-remote-user": "alice", "x-remote-group": "system:masters" },
        })
      ).code,
    ).toBe(200);
  });

  it("a certificate in the authority's name, signed by another key, is nobody's", async () => {
    const [certificate] = readCertificates(readFileSync(join(server.dataDir, "pki/ca.crt"), "utf8"));
    const another = {
      ...(certificate ? { certificate } : {}),
      privateKey: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
    };
    const forged = createClientIdentity(another, {
      subject: { commonName: "root", organizations: ["system:masters"] },
      notBefore: Date.now() - 60_000,
      notAfter: Date.now() + 600_000,
      random: systemRandom,
    });
    expect((await curl(server, "/api", { cert: forged.pem, key: encodePrivateKey(forged.privateKey) })).code).toBe(401);
  });
});

const controllerManager = cachedProgram("kube-controller-manager");
describeWith(
  "a token kept in a secret, as in every tutorial",
  {
    found: controllerManager && newest,
    missing: "kube-controller-manager and kubectl (npm run tool -- programs)",
    timeout: 120_000,
  },
  () => {
    let server: CoxswainProcess;
    let manager: ManagedProcess;
    beforeAll(async () => {
      server = await startCoxswain();
      const pki = (name: string): string => join(server.dataDir, "pki", name);
      manager = await startControllerManager({
        kubeconfig: server.kubeconfig,
        ca: pki("ca.crt"),
        caKey: pki("ca.key"),
        serviceAccountKey: pki("sa.key"),
        logFile: join(server.dataDir, "kcm.log"),
      });
    });
    afterAll(async () => {
      await manager.stop();
      await server.stop();
      removeDataDir(server);
    });
    it("opens the server to curl, until the secret is gone", async () => {
      const kubectl = async (args: string, input?: string): Promise<string> => {
        const { code, stdout, stderr } = await runProgram(newest as string, args.split(" "), {
          env: { KUBECONFIG: server.kubeconfig, HOME: server.dataDir },
          ...(input === undefined ? {} : { input }),
        });
        if (code !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
        return stdout;
      };
      await kubectl("create serviceaccount robot");
      await kubectl("create clusterrolebinding robot --clusterrole=cluster-admin --serviceaccount=default:robot");
      await kubectl(
        "create -f -",
        JSON.stringify({
          apiVersion: "v1",
          kind: "Secret",
          type: "kubernetes.io/service-account-token",
          metadata: { name: "robot", annotations: { "kubernetes.io/service-account.name": "robot" } },
        }),
      );
      await kubectl("wait --for=jsonpath={.data.token} secret/robot --timeout=60s");
      const token = Buffer.from(await kubectl("get secret robot -o jsonpath={.data.token}"), "base64").toString();
      const bearing = { headers: { authorization: `Bearer ${token}` } };
      expect(await curl(server, "/api/v1/namespaces/default/secrets/robot", bearing)).toMatchObject({ code: 200 });
      expect(await kubectl("get secret robot -o jsonpath={.metadata.labels}")).toMatch(
        /"kubernetes.io\/legacy-token-last-used":"\d{4}-\d\d-\d\d"/,
      );
      await kubectl("delete secret robot");
      expect((await curl(server, "/api", bearing)).code).toBe(401);
    });
  },
);
