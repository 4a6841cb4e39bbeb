import { describe, expect, it } from "vitest";
import { readKubeconfig } from "./read-kubeconfig.js";

const files = new Map([
  ["/etc/hook/ca.pem", "CA"],
  ["/etc/hook/token", "secret\n"],
]);
const read = (user: string, cluster = "certificate-authority: ca.pem") =>
  readKubeconfig(
    `current-context: hook
contexts: [{ name: hook, context: { cluster: far, user: me } }]
clusters: [{ name: far, cluster: { server: "https://far:8443/audit", ${cluster} } }]
users: [{ name: me, user: { ${user} } }]
`,
    { file: "/etc/hook/config", readFile: (path) => files.get(path) ?? `no ${path}` },
  );

describe("a kubeconfig", () => {
  it("names files beside itself", () =>
    expect(read("tokenFile: token")).toEqual({
      server: "https://far:8443/audit",
      insecure: false,
      certificateAuthority: "CA",
      token: "secret",
    }));
  it("may hold data itself", () =>
    expect(read(`client-certificate-data: ${btoa("CERT")}, client-key-data: ${btoa("KEY")}`)).toMatchObject({
      clientCertificate: "CERT",
      clientKey: "KEY",
    }));
  it("may ask for no check", () =>
    expect(read("username: u, password: p", "insecure-skip-tls-verify: true")).toMatchObject({
      insecure: true,
      basic: { username: "u", password: "p" },
    }));
  it("that runs a program for credentials is refused", () =>
    expect(() => read("exec: {}")).toThrow('user "me" asks for exec, which is not supported'));
  it("without a context is refused", () =>
    expect(() => readKubeconfig("{}", { file: "f", readFile: String })).toThrow("f: no current context is chosen"));
});
