import { describe, expect, it } from "vitest";
import { formatKubeconfig, parseKubeconfig } from "./kubeconfig.js";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const yaml = `apiVersion: v1
kind: Config
clusters:
- name: server
  cluster:
    certificate-authority-data: ${base64("CA")}
    server: https://127.0.0.1:6443/
users:
- name: admin
  user:
    client-certificate-data: ${base64("CERT")}
    client-key-data: ${base64("KEY")}
`;

describe("kubeconfig", () => {
  it("reads what it writes", () => {
    const access = {
      server: "https://127.0.0.1:1",
      certificateAuthority: "CA",
      clientCertificate: "CERT",
      clientKey: "KEY",
      token: "t",
    };
    expect(parseKubeconfig(formatKubeconfig(access))).toEqual(access);
  });

  it("reads YAML, and takes no name of a cluster for its server", () => {
    expect(parseKubeconfig(yaml)).toEqual({
      server: "https://127.0.0.1:6443",
      certificateAuthority: "CA",
      clientCertificate: "CERT",
      clientKey: "KEY",
    });
  });

  it("reports what is missing", () => {
    expect(() => parseKubeconfig("kind: Config")).toThrow(/no server/);
  });
});
