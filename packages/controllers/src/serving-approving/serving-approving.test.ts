import type { NodeAddress } from "@coxswain/api/core/v1";
import { readRequestFacts } from "@coxswain/component/certificates";
import { afterEach, describe, expect, it } from "vitest";
import { requestFor, servingRequest } from "../certificate-requests/requests.test.support.js";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { servingApprovingController } from "./controller.js";
import { servingApproverBinding, servingApproverRole } from "./objects.js";
import { nodeOfRequest, refuseNames, servingSigner } from "./plan.js";

const facts = readRequestFacts(servingRequest);
const usages = ["digital signature" as const, "server auth" as const];
const named = { pem: servingRequest, username: "system:node:a" };

describe("a request for the certificate of a server", () => {
  const rows = [
    { name: "is the node's that asks", request: requestFor(servingSigner, usages, named), node: "a" },
    {
      name: "is none where another node asks",
      request: requestFor(servingSigner, usages, { ...named, username: "system:node:b" }),
      node: undefined,
    },
    {
      name: "is none for another signer",
      request: requestFor("kubernetes.io/kube-apiserver-client-kubelet", usages, named),
      node: undefined,
    },
    {
      name: "is none with a client's usage",
      request: requestFor(servingSigner, [...usages, "client auth"], named),
      node: undefined,
    },
  ];
  for (const { name, request, node } of rows) it(name, () => expect(nodeOfRequest(request, facts)).toBe(node));
});

describe("the names of a server", () => {
  const hostname: NodeAddress = { type: "Hostname", address: "a" };
  const address: NodeAddress = { type: "InternalIP", address: "10.0.0.1" };
  const refused = (...addresses: NodeAddress[]) => refuseNames(facts, { status: { addresses } });
  it("may all be the node's", () => expect(refused(hostname, address)).toBeUndefined());
  it("may not be another's", () => expect(refused(hostname)).toBe('"10.0.0.1" is no address of the node'));
});

describe("the approver, by its role alone", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("approves what the node asks for itself, once the Node has the addresses", async () => {
    cluster = await startTestCluster({ controllers: [servingApprovingController] });
    const { client } = cluster;
    await client.rbac.v1.clusterroles().create(servingApproverRole);
    await client.rbac.v1.clusterrolebindings().create(servingApproverBinding);
    await client.core.v1.nodes().create({ metadata: { name: "a" } });
    const asNode = cluster.clientOf("system:node:a", ["system:nodes"]);
    await asNode.certificates.v1.certificatesigningrequests().create(requestFor(servingSigner, usages, named));
    await cluster.settle();
    const conditions = async () =>
      (await client.certificates.v1.certificatesigningrequests().get("r")).status?.conditions;
    expect(await conditions()).toBeUndefined();
    const node = await client.core.v1.nodes().get("a");
    const addresses: NodeAddress[] = [
      { type: "Hostname", address: "a" },
      { type: "InternalIP", address: "10.0.0.1" },
    ];
    await client.core.v1.nodes().updateStatus({ ...node, status: { ...node.status, addresses } });
    await cluster.advance(60_000);
    expect(await conditions()).toMatchObject([{ type: "Approved", reason: "AutoApproved" }]);
  });
});
