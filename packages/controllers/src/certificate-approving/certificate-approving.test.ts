import { readRequestFacts } from "@coxswain/component/certificates";
import { afterEach, describe, expect, it } from "vitest";
import {
  clientRequest,
  clientUsages,
  requestFor,
  servingRequest,
} from "../certificate-requests/requests.test.support.js";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { certificateApprovingController } from "./controller.js";
import { approvalsFor } from "./plan.js";

const signer = "kubernetes.io/kube-apiserver-client-kubelet";

describe("the rights by which a request may be approved", () => {
  const rows = [
    {
      name: "that of a bootstrapping node",
      request: requestFor(signer, clientUsages, { username: "bootstrap" }),
      rights: ["nodeclient"],
    },
    {
      name: "that of the node itself first",
      request: requestFor(signer, clientUsages, { username: "system:node:a" }),
      rights: ["selfnodeclient", "nodeclient"],
    },
    {
      name: "none for another signer",
      request: requestFor("kubernetes.io/kube-apiserver-client", clientUsages),
      rights: [],
    },
    { name: "none for other usages", request: requestFor(signer, ["server auth"]), rights: [] },
    {
      name: "that of a bootstrapping node where another one asks",
      request: requestFor(signer, clientUsages, { username: "system:node:b" }),
      rights: ["nodeclient"],
    },
    {
      name: "with key encipherment too",
      request: requestFor(signer, [...clientUsages, "key encipherment"], { username: "system:node:a" }),
      rights: ["selfnodeclient", "nodeclient"],
    },
    {
      name: "none with a server's usage beside its own",
      request: requestFor(signer, [...clientUsages, "server auth"]),
      rights: [],
    },
    {
      name: "none for a server's signer",
      request: requestFor("kubernetes.io/kubelet-serving", clientUsages),
      rights: [],
    },
    {
      name: "none for alternative names",
      request: requestFor(signer, clientUsages, { pem: servingRequest }),
      rights: [],
    },
  ];
  for (const { name, request, rights } of rows)
    it(name, () => {
      const facts = readRequestFacts(atob(request.spec.request));
      expect(approvalsFor(request, facts).map(({ subresource }) => subresource)).toEqual(rights);
    });
});

describe("the approving controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("approves where the requestor may, and leaves others to people", async () => {
    cluster = await startTestCluster({ controllers: [certificateApprovingController] });
    const requests = cluster.client.certificates.v1.certificatesigningrequests();
    const named = (name: string) => ({
      ...requestFor(signer, clientUsages, { pem: clientRequest }),
      metadata: { name },
    });
    await requests.create(named("mine"));
    await requests.create({ ...requestFor("example.com/other", clientUsages), metadata: { name: "other" } });
    await cluster.settle();
    // The test's client is an administrator and may have any.
    expect((await requests.get("mine")).status?.conditions).toEqual([
      expect.objectContaining({
        type: "Approved",
        status: "True",
        reason: "AutoApproved",
        message: "Auto approving kubelet client certificate after SubjectAccessReview.",
      }),
    ]);
    expect((await requests.get("other")).status?.conditions).toBeUndefined();
  });

  it("leaves a request whose requestor may not have it, until a role lets it", async () => {
    cluster = await startTestCluster({ controllers: [certificateApprovingController] });
    await cluster.client.rbac.v1.clusterrolebindings().create({
      metadata: { name: "may-create" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:node-bootstrapper" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "joe" }],
    });
    const requests = cluster.client.certificates.v1.certificatesigningrequests();
    await cluster
      .clientOf("joe")
      .certificates.v1.certificatesigningrequests()
      .create({ ...requestFor(signer, clientUsages, { pem: clientRequest }), metadata: { name: "joes" } });
    await cluster.settle();
    expect((await requests.get("joes")).status?.conditions).toBeUndefined();
    await cluster.client.rbac.v1.clusterrolebindings().create({
      metadata: { name: "may-have" },
      roleRef: {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "ClusterRole",
        name: "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
      },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "joe" }],
    });
    await cluster.advance(60_000);
    expect((await requests.get("joes")).status?.conditions).toMatchObject([{ type: "Approved" }]);
  });
});
