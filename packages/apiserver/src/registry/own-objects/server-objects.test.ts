import { systemRuntime } from "@coxswain/runtime";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { createAuthority } from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { standardUserHeaders } from "../../authentication/request-headers.js";
import { startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

const authority = (commonName: string): string =>
  createAuthority({
    subject: { commonName },
    notBefore: Date.now() - 1000,
    notAfter: Date.now() + 3_600_000,
    random: systemRandom,
  }).pem;
const [one, two, proxies] = [authority("one"), authority("two"), authority("proxies")] as const;
const admin = { name: "admin", groups: ["system:masters"] };

describe("what a server makes at its start", () => {
  it("the objects that describe the server are brought up to date", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const first = await startApiServer({
      runtime: systemRuntime(),
      store,
      authentication: { clientCa: one },
      endpoint: { address: "192.0.2.1", port: 6443 },
      identity: { hostname: "vm" },
    });
    await first.stop();
    const server = await startApiServer({
      runtime: systemRuntime(),
      store,
      authentication: {
        clientCa: two,
        requestHeader: { ...standardUserHeaders, authority: proxies, allowedNames: ["front"] },
      },
      endpoint: { address: "192.0.2.2", port: 6443 },
      identity: { hostname: "vm" },
    });
    const get = (path: string) => createInProcessClient(server, { user: admin }).request({ method: "GET", path });
    const items = async (path: string) =>
      ((await get(path)) as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    expect(await get("/api/v1/namespaces/default/services/kubernetes")).toMatchObject({
      spec: { clusterIP: "10.96.0.1", ports: [{ name: "https", port: 443, targetPort: 6443 }] },
    });
    expect(await get("/apis/networking.k8s.io/v1/ipaddresses/10.96.0.1")).toMatchObject({
      spec: { parentRef: { name: "kubernetes" } },
    });
    expect(await get("/api/v1/namespaces/default/endpoints/kubernetes")).toMatchObject({
      subsets: [{ addresses: [{ ip: "192.0.2.2" }] }],
    });
    expect(await get("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes")).toMatchObject({
      endpoints: [{ addresses: ["192.0.2.2"] }],
    });
    expect(await get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")).toMatchObject({
      data: {
        "client-ca-file": `${one}${two}`, // the certificate of another server of the cluster stays
        "requestheader-client-ca-file": proxies,
        "requestheader-allowed-names": '["front"]',
        "requestheader-username-headers": '["X-Remote-User"]',
        "requestheader-uid-headers": '["X-Remote-Uid"]',
        "requestheader-group-headers": '["X-Remote-Group"]',
        "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
      },
    });
    expect(await items("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas")).toHaveLength(11);
    expect(await items("/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations")).toHaveLength(8);
    const apiServices = await items("/apis/apiregistration.k8s.io/v1/apiservices");
    expect(apiServices).toHaveLength(21);
    expect(apiServices).toContain("v1.");
    expect(await items("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases")).toEqual([
      "apiserver-wlv32tlttr4jl3gtroqexyxapa",
    ]);
    await server.stop();
  });

  it("a server that comes back on another port writes it into its endpoints; the service stays as it was made, as upstream leaves it", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await (
      await startApiServer({ runtime: systemRuntime(), store, endpoint: { address: "192.0.2.1", port: 6443 } })
    ).stop();
    const server = await startApiServer({
      runtime: systemRuntime(),
      store,
      endpoint: { address: "192.0.2.1", port: 7443 },
    });
    const get = (path: string) =>
      createInProcessClient(server, { user: admin }).request({
        method: "GET",
        path: `/api/v1/namespaces/default/${path}`,
      });
    expect(await get("endpoints/kubernetes")).toMatchObject({
      subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 7443 }] }],
    });
    expect(await get("services/kubernetes")).toMatchObject({
      spec: { clusterIP: "10.96.0.1", ports: [{ targetPort: 6443 }] },
    });
    await server.stop();
  });

  it("the configuration from which other servers learn which clients to trust is made again when it is deleted, and repaired when somebody changes it", async () => {
    const server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      authentication: { clientCa: one },
    });
    const client = createInProcessClient(server, { user: admin });
    const path = "/api/v1/namespaces/kube-system/configmaps";
    type Found = { readonly metadata: { readonly uid: string }; readonly data: Readonly<Record<string, string>> };
    const find = async (name: string): Promise<Found> =>
      (await client.request({ method: "GET", path: `${path}/${name}` })) as Found;
    const until = async (name: string, isRight: (found: Found) => boolean): Promise<Found> => {
      for (;;) {
        const found = await find(name).catch(() => undefined);
        if (found && isRight(found)) return found;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    for (const name of ["extension-apiserver-authentication", "kube-apiserver-legacy-service-account-token-tracking"]) {
      const before = await find(name);
      await client.request({ method: "DELETE", path: `${path}/${name}` });
      const again = await until(name, ({ metadata }) => metadata.uid !== before.metadata.uid);
      expect(again.data).toEqual(before.data);
      await client.request({
        method: "PUT",
        path: `${path}/${name}`,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { since: "one day" } },
      });
      await until(name, ({ data }) => JSON.stringify(data) === JSON.stringify(before.data));
    }
    server.setAuthorities({ clientCa: two });
    await until("extension-apiserver-authentication", ({ data }) => data["client-ca-file"] === `${one}${two}`);
    await server.stop();
  });
});
