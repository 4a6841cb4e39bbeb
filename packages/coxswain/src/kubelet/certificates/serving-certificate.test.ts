import { createSeededRandom } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity } from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { servingHosts, usable } from "./serving-certificate.js";

const random = createSeededRandom("serving");
const validity = { notBefore: 1_000_000, notAfter: 2_000_000, random };
const authority = createAuthority({ ...validity, subject: { commonName: "ca" } });
const hosts = ["10.0.0.1", "a"];
const { pem } = createServerIdentity(authority, { ...validity, subject: { commonName: "system:node:a" }, hosts });

describe("a node's serving certificate of a file", () => {
  const rows = [
    { name: "is used while it counts", facts: { hosts, now: 1_500_000 }, isUsed: true },
    { name: "is not used after its end", facts: { hosts, now: 2_000_000 }, isUsed: false },
    {
      name: "is not used for an address that it lacks",
      facts: { hosts: [...hosts, "10.0.0.2"], now: 1_500_000 },
      isUsed: false,
    },
  ];
  for (const { name, facts, isUsed } of rows) it(name, () => expect(usable(pem, facts)).toBe(isUsed ? pem : ""));
  it("may be missing", () => expect(usable("", { hosts, now: 1_500_000 })).toBe(""));
});

it("a serving certificate names each address of the node once", () =>
  expect(
    servingHosts({
      status: {
        addresses: [
          { type: "InternalIP", address: "10.0.0.1" },
          { type: "Hostname", address: "a" },
          { type: "InternalDNS", address: "a" },
        ],
      },
    }),
  ).toEqual(hosts));
