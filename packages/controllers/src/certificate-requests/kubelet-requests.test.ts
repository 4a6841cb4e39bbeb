import type { RequestFacts } from "@coxswain/component/certificates";
import { describe, expect, it } from "vitest";
import { refuseKubeletClient, refuseKubeletServing } from "./kubelet-requests.js";

const facts = (more: Partial<RequestFacts> = {}): RequestFacts => ({
  commonName: "system:node:a",
  organizations: ["system:nodes"],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
  ...more,
});

describe("a kubelet's request for a client certificate", () => {
  const usages = ["digital signature", "key encipherment", "client auth"];
  const rows: { name: string; facts?: Partial<RequestFacts>; usages?: string[]; why?: string }[] = [
    { name: "is fine" },
    { name: "without key encipherment too", usages: ["client auth", "digital signature"] },
    {
      name: "not with another usage",
      usages: [...usages, "server auth"],
      why: "usages did not match [client auth digital signature key encipherment]",
    },
    {
      name: "not without client auth",
      usages: ["digital signature"],
      why: "usages did not match [client auth digital signature key encipherment]",
    },
    {
      name: "not of another organization",
      facts: { organizations: ["x"] },
      why: "subject organization is not system:nodes",
    },
    {
      name: "not of two organizations",
      facts: { organizations: ["system:nodes", "system:masters"] },
      why: "subject organization is not system:nodes",
    },
    {
      name: "not of another name",
      facts: { commonName: "a" },
      why: "subject common name does not begin with system:node:",
    },
    { name: "not for a DNS name", facts: { dnsNames: ["a"] }, why: "DNS subjectAltNames are not allowed" },
    { name: "not for an address", facts: { ipAddresses: ["10.0.0.1"] }, why: "IP subjectAltNames are not allowed" },
    {
      name: "not for a mail address",
      facts: { emailAddresses: ["a@b"] },
      why: "Email subjectAltNames are not allowed",
    },
    { name: "not for a URI", facts: { uris: ["spiffe://a"] }, why: "URI subjectAltNames are not allowed" },
  ];
  for (const row of rows)
    it(row.name, () => expect(refuseKubeletClient(facts(row.facts), row.usages ?? usages)).toBe(row.why));
});

describe("a kubelet's request for a serving certificate", () => {
  const usages = ["digital signature", "server auth"];
  const rows: { name: string; facts?: Partial<RequestFacts>; usages?: string[]; why?: string }[] = [
    { name: "is fine for a DNS name", facts: { dnsNames: ["a"] } },
    { name: "and for an address", facts: { ipAddresses: ["10.0.0.1"] } },
    { name: "not for nothing", why: "DNS or IP subjectAltName is required" },
    {
      name: "not for a mail address",
      facts: { dnsNames: ["a"], emailAddresses: ["a@b"] },
      why: "Email subjectAltNames are not allowed",
    },
    {
      name: "not with another usage",
      facts: { dnsNames: ["a"] },
      usages: [...usages, "client auth"],
      why: "usages did not match [digital signature key encipherment server auth]",
    },
    {
      name: "not of another name",
      facts: { dnsNames: ["a"], commonName: "a" },
      why: "subject common name does not begin with system:node:",
    },
  ];
  for (const row of rows)
    it(row.name, () => expect(refuseKubeletServing(facts(row.facts), row.usages ?? usages)).toBe(row.why));
});
