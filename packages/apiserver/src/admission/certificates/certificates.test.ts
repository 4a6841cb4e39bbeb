import { describe, expect, it } from "vitest";
import { type Attributes, allowed, noOpinion } from "../../authorization/attributes.js";
import { attributesOf, refusal } from "../attributes.test.support.js";
import { createCertificateApproval } from "./certificate-approval.js";
import { createCertificateSigning } from "./certificate-signing.js";

const resource = "certificates.k8s.io/certificatesigningrequests";
const request = (status: object = {}, signerName = "example.com/a"): object => ({
  metadata: { name: "x" },
  spec: { signerName },
  status,
});

const mayOnly = (verb: string, name: string) => (asked: Attributes) =>
  asked.verb === verb && asked.resource === "signers" && asked.group === "certificates.k8s.io" && asked.name === name
    ? allowed()
    : noOpinion();
const write = (subresource: string, next: object, old: object) =>
  attributesOf(resource, next, { operation: "UPDATE", subresource, old: old as never });
const forbidden = (verb: string): string =>
  `certificatesigningrequests.certificates.k8s.io "x" is forbidden: user not permitted to ${verb} requests with signerName "example.com/a"`;

const cases = [
  {
    name: "approving needs a permission",
    plugin: createCertificateApproval(mayOnly("sign", "example.com/a")),
    attributes: write("approval", request(), request()),
    refused: forbidden("approve"),
  },
  {
    name: "for the signer by name",
    plugin: createCertificateApproval(mayOnly("approve", "example.com/a")),
    attributes: write("approval", request(), request()),
  },
  {
    name: "or for its whole domain",
    plugin: createCertificateApproval(mayOnly("approve", "example.com/*")),
    attributes: write("approval", request(), request()),
  },
  {
    name: "which is that of the request as it was",
    plugin: createCertificateApproval(mayOnly("approve", "example.com/b")),
    attributes: write("approval", request({}, "example.com/b"), request()),
    refused: forbidden("approve"),
  },
  {
    name: "signing needs a permission",
    plugin: createCertificateSigning(mayOnly("approve", "example.com/a")),
    attributes: write("status", request({ certificate: "YQ==" }), request()),
    refused: forbidden("sign"),
  },
  {
    name: "and so do conditions",
    plugin: createCertificateSigning(mayOnly("approve", "example.com/a")),
    attributes: write("status", request({ conditions: [{ type: "Failed", status: "True" }] }), request()),
    refused: forbidden("sign"),
  },
  {
    name: "a write that changes neither needs none",
    plugin: createCertificateSigning(mayOnly("approve", "example.com/a")),
    attributes: write("status", request({ certificate: "YQ==" }), request({ certificate: "YQ==" })),
  },
  {
    name: "and who has it may sign",
    plugin: createCertificateSigning(mayOnly("sign", "example.com/*")),
    attributes: write("status", request({ certificate: "YQ==" }), request()),
  },
];

describe("signers", () => {
  for (const { name, plugin, attributes, refused } of cases)
    it(name, async () => expect(await refusal(plugin, attributes)).toBe(refused));
});
