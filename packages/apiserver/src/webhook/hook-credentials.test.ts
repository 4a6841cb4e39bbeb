import { describe, expect, it } from "vitest";
import { readHookCredentials } from "./hook-credentials.js";

const user = (name: string) => ({ name, user: { token: name } });
const named = ["exact.example.com:8443", "*.example.com", "plain.example.org", "hook.default.svc", "*.svc:9443"];
const file = "/etc/hooks/config";
const read = (document: object) =>
  readHookCredentials(JSON.stringify(document), { file, readFile: (path) => `content of ${path}` });

describe("credentials for webhooks", () => {
  const cases = [
    { name: "by host and port", target: "exact.example.com:8443", token: "exact.example.com:8443" },
    { name: "by the end of a host, on the usual port", target: "a.b.example.com:443", token: "*.example.com" },
    { name: "by the end of a host only on the usual port", target: "a.example.com:8443", token: "*" },
    { name: "by host, on the usual port", target: "plain.example.org:443", token: "plain.example.org" },
    { name: "by service", target: "hook.default.svc:443", token: "hook.default.svc" },
    { name: "by the end of a service's name, with its port", target: "any.where.svc:9443", token: "*.svc:9443" },
    { name: "for all others", target: "elsewhere.test:443", token: "*" },
  ];
  for (const { name, target, token } of cases)
    it(`are found ${name}`, () => expect(read({ users: [...named, "*"].map(user) })(target)).toEqual({ token }));

  it("are those of the current context where no user is named for the host", () => {
    const contexts = [{ name: "c", context: { user: "me" } }];
    expect(read({ users: [user("me")], contexts, "current-context": "c" })("a.test:443")).toEqual({ token: "me" });
  });

  it("are none where nobody is named", () => expect(read({ users: [user("other")] })("a.test:443")).toEqual({}));

  it("may stand in files beside the kubeconfig", () => {
    const certificate = { "client-certificate": "tls.crt", "client-key-data": Buffer.from("KEY").toString("base64") };
    expect(read({ users: [{ name: "*", user: { ...certificate, tokenFile: "/run/token" } }] })("a.test:443")).toEqual({
      clientCertificate: "content of /etc/hooks/tls.crt",
      clientKey: "KEY",
      token: "content of /run/token",
    });
  });
});
