import { FlagError } from "@coxswain/component/flags";
import { nameServerText } from "@coxswain/dns";
import { describe, expect, it } from "vitest";
import { forwardOptionsFrom, machineNameServers } from "./forward-options.js";

const resolvConf = "nameserver 10.0.0.53\nnameserver 10.0.0.54\n";
const none = { forward: [], stubDomains: [], resolvConf };

describe("other servers", () => {
  it("are those of resolv.conf, unless others are named", () => {
    expect(forwardOptionsFrom(none).servers.map(nameServerText)).toEqual(["10.0.0.53:53", "10.0.0.54:53"]);
    const named = forwardOptionsFrom({ ...none, forward: ["192.0.2.1", "[fd00::1]:5353"] });
    expect(named.servers.map(nameServerText)).toEqual(["192.0.2.1:53", "[fd00::1]:5353"]);
    expect(forwardOptionsFrom({ ...none, resolvConf: undefined }).servers).toEqual([]);
  });

  it("are several for a stub domain that is named several times", () => {
    const stubDomains = ["Corp.Example.=10.1.0.1", "corp.example=10.1.0.2:5353", "other=10.2.0.1"];
    const { stubDomains: domains } = forwardOptionsFrom({ ...none, stubDomains });
    expect([...domains].map(([domain, servers]) => `${domain} ${servers.map(nameServerText).join(" ")}`)).toEqual([
      "corp.example 10.1.0.1:53 10.1.0.2:5353",
      "other 10.2.0.1:53",
    ]);
  });

  const bad = [
    {
      title: "a name for an address",
      flags: { ...none, forward: ["dns.example"] },
      message: "--forward takes addresses",
    },
    {
      title: "a stub domain without an address",
      flags: { ...none, stubDomains: ["corp"] },
      message: "--stub-domains must be domain=address",
    },
    {
      title: "a stub domain without a domain",
      flags: { ...none, stubDomains: ["=10.0.0.1"] },
      message: "--stub-domains must be domain=address",
    },
    {
      title: "a stub domain with a name for an address",
      flags: { ...none, stubDomains: ["corp=dns"] },
      message: "--stub-domains takes addresses",
    },
  ];
  for (const { title, flags, message } of bad)
    it(`${title} is refused`, () => {
      expect(() => forwardOptionsFrom(flags)).toThrow(FlagError);
      expect(() => forwardOptionsFrom(flags)).toThrow(message);
    });

  it("are none on a machine without a resolv.conf", () => {
    expect(machineNameServers("/nonexistent/resolv.conf")).toEqual([]);
  });
});
