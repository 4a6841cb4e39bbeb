import { request as httpsRequest } from "node:https";
import { systemRuntime } from "@coxswain/runtime";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import {
  createAuthority,
  createClientIdentity,
  createServerIdentity,
  encodePrivateKey,
  generateKeyPair,
  type Identity,
  issueCertificate,
} from "@coxswain/wire/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";
import { type Listener, listen } from "../server/listener/listener.js";
import { standardUserHeaders } from "./request-headers.js";

const hour = 3_600_000;
const now = Date.now();
const life = { notBefore: now - hour, notAfter: now + hour, random: systemRandom };
const authority = (commonName: string) => createAuthority({ ...life, subject: { commonName } });
const clients = authority("clients");
const proxies = authority("proxies");
const strangers = authority("clients"); // the same name, another key
const intermediate = (() => {
  const { privateKey, publicKey } = generateKeyPair();
  return {
    ...issueCertificate(
      { ...life, subject: { commonName: "between" }, publicKey, isCa: true, keyUsage: ["keyCertSign"] },
      clients,
      systemRandom,
    ),
    privateKey,
  };
})();
const notAnAuthority = createClientIdentity(clients, { ...life, subject: { commonName: "jane" } });
const uid = "1.3.6.1.4.1.57683.2";

const client = (
  from: Identity,
  subject: { commonName?: string; organizations?: string[]; attributes?: { type: string; value: string }[] },
  more: object = {},
) => createClientIdentity(from, { ...life, ...more, subject });
const jane = client(clients, { commonName: "jane", organizations: ["dev", "ops"] });
const proxy = client(proxies, { commonName: "front" });
const server = createServerIdentity(clients, { ...life, subject: { commonName: "server" }, hosts: ["127.0.0.1"] });

describe("certificates of clients and proxies", () => {
  let api: ApiServer;
  let listener: Listener;
  beforeAll(async () => {
    api = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      authentication: {
        clientCa: clients.pem,
        requestHeader: { ...standardUserHeaders, authority: proxies.pem, allowedNames: ["front"] },
      },
    });
    listener = await listen(
      {
        port: 0,
        certificate: server.pem,
        key: encodePrivateKey(server.privateKey),
        clientAuthority: clients.pem + proxies.pem,
        runtime: systemRuntime(),
      },
      (request, sink) => void api.serve(request, sink),
    );
  });
  afterAll(async () => {
    listener.stopAccepting();
    await api.stop();
    await listener.close();
  });

  /** Who the server takes the bearer for; a code where it takes it for nobody. */
  async function whoIs(
    identity: Identity | undefined,
    { headers = {}, chain = "" }: { headers?: Record<string, string | string[]>; chain?: string } = {},
  ): Promise<unknown> {
    const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
    const { code, text } = await new Promise<{ code: number; text: string }>((resolve, reject) => {
      const sent = httpsRequest(
        {
          host: "127.0.0.1",
          port: listener.port,
          path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          method: "POST",
          ca: clients.pem,
          agent: false,
          headers: { "content-type": "application/json", ...headers },
          ...(identity ? { cert: identity.pem + chain, key: encodePrivateKey(identity.privateKey) } : {}),
        },
        (answer) => {
          let text = "";
          answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
          answer.on("end", () => resolve({ code: answer.statusCode ?? 0, text }));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
    return code === 201 ? (JSON.parse(text) as { status: { userInfo: unknown } }).status.userInfo : code;
  }
  const asJane = {
    username: "jane",
    groups: ["dev", "ops", "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
  };

  const certificates: { name: string; identity: Identity | undefined; chain?: string; user: unknown }[] = [
    { name: "a client is the user that its certificate names", identity: jane, user: asJane },
    { name: "without one nobody is known", identity: undefined, user: 401 },
    { name: "of another authority", identity: client(strangers, { commonName: "jane" }), user: 401 },
    {
      name: "expired",
      identity: client(clients, { commonName: "jane" }, { notBefore: now - 2 * hour, notAfter: now - hour }),
      user: 401,
    },
    {
      name: "not yet valid",
      identity: client(clients, { commonName: "jane" }, { notBefore: now + hour, notAfter: now + 2 * hour }),
      user: 401,
    },
    { name: "of a server", identity: server, user: 401 },
    {
      name: "signed by a client",
      identity: client(notAnAuthority, { commonName: "root", organizations: ["system:masters"] }),
      chain: notAnAuthority.pem,
      user: 401,
    },
    {
      name: "by way of an authority between",
      identity: client(intermediate, { commonName: "joe" }),
      chain: intermediate.pem,
      user: expect.objectContaining({ username: "joe" }),
    },
    {
      name: "by way of an authority that is not shown",
      identity: client(intermediate, { commonName: "joe" }),
      user: 401,
    },
    { name: "without a common name", identity: client(clients, { organizations: ["system:masters"] }), user: 401 },
    { name: "of a proxy, without headers", identity: proxy, user: 401 },
    {
      name: "with a uid",
      identity: client(clients, { commonName: "joe", attributes: [{ type: uid, value: "7" }] }),
      user: expect.objectContaining({ username: "joe", uid: "7" }),
    },
    {
      name: "with two uids",
      identity: client(clients, {
        commonName: "joe",
        attributes: [
          { type: uid, value: "7" },
          { type: uid, value: "8" },
        ],
      }),
      user: 401,
    },
    {
      name: "with several common names, the last one counts",
      identity: client(clients, { commonName: "first", attributes: [{ type: "2.5.4.3", value: "last" }] }),
      user: expect.objectContaining({ username: "last" }),
    },
    {
      name: "with signs that mean something elsewhere",
      identity: client(clients, {
        commonName: "a/CN=root,O=system:masters\u0000x",
        organizations: ["x\nO = system:masters"],
      }),
      user: expect.objectContaining({
        username: "a/CN=root,O=system:masters\u0000x",
        groups: ["x\nO = system:masters", "system:authenticated"],
      }),
    },
  ];
  for (const { name, identity, chain = "", user } of certificates)
    it(name, async () => expect(await whoIs(identity, { chain })).toEqual(user));

  const vouching = {
    "X-Remote-User": "alice",
    "X-Remote-Uid": "9",
    "X-Remote-Group": ["a,b", "c"],
    "X-Remote-Extra-Acme.com%2fProject": ["one", "two"],
    "x-remote-extra-__proto__": "three",
  };
  it("a proxy's headers name its client", async () => {
    expect(await whoIs(proxy, { headers: vouching })).toEqual({
      username: "alice",
      uid: "9",
      groups: ["a,b", "c", "system:authenticated"],
      extra: Object.fromEntries([
        ["acme.com/project", ["one", "two"]],
        ["__proto__", ["three"]],
      ]),
    });
  });
  it("a proxy may name no client, which then has the rights of anonymous users", async () =>
    expect(
      await whoIs(proxy, {
        headers: { "x-remote-user": "system:anonymous", "x-remote-group": "system:unauthenticated" },
      }),
    ).toBe(403));
  const smuggled = { "X-Remote-User": "root", "X-Remote-Group": "system:masters" };
  it("nobody else's headers count", async () => expect(await whoIs(jane, { headers: smuggled })).toEqual(asJane));
  it("nobody's at all", async () => expect(await whoIs(undefined, { headers: smuggled })).toBe(401));
  it("not those of a proxy with another name", async () =>
    expect(await whoIs(client(proxies, { commonName: "backdoor" }), { headers: smuggled })).toBe(401));
  it("not those of a client with the proxy's name", async () =>
    expect(await whoIs(client(clients, { commonName: "front" }), { headers: smuggled })).toEqual(
      expect.objectContaining({ username: "front" }),
    ));

  it("authorities that are no longer trusted do not count, also on connections that are open", async () => {
    api.setAuthorities({ clientCa: strangers.pem, requestHeader: strangers.pem });
    expect(await whoIs(jane)).toBe(401);
    expect(await whoIs(proxy, { headers: vouching })).toBe(401);
    const reported = () =>
      createInProcessClient(api, { user: { name: "admin", groups: ["system:masters"] } }).request({
        method: "GET",
        path: "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
      });
    await expect.poll(reported).toMatchObject({
      data: {
        "client-ca-file": clients.pem + strangers.pem,
        "requestheader-client-ca-file": proxies.pem + strangers.pem,
      },
    });
    api.setAuthorities({ clientCa: clients.pem, requestHeader: proxies.pem });
    expect(await whoIs(jane)).toEqual(asJane);
  });
});
