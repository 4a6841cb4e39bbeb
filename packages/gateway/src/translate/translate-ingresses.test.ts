import type { Ingress } from "@coxswain/api/networking/v1";
import { describe, expect, it } from "vitest";
import { annotationPrefix } from "./annotation-table.js";
import { translateIngresses } from "./translate-ingresses.js";

const options = {
  gatewayClassName: "ours",
  portNumber: (_: string, __: string, name: string) => (name === "http" ? 8080 : undefined),
};

const ingress = (
  annotations: Record<string, string> = {},
  changes: Partial<Ingress["spec"]> = {},
  name = "web",
): Ingress => ({
  metadata: {
    name,
    namespace: "shop",
    annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [annotationPrefix + key, value])),
  },
  spec: {
    rules: [
      {
        host: "a.test",
        http: { paths: [{ path: "/x", pathType: "Prefix", backend: { service: { name, port: { number: 80 } } } }] },
      },
    ],
    ...changes,
  },
});

interface Made {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly rules: readonly object[];
    readonly listeners: readonly object[];
    readonly parentRefs: object[];
  };
}

const translate = (...ingresses: Ingress[]) => {
  const { objects, notes } = translateIngresses(ingresses, options);
  const made = objects as readonly Made[];
  return { made, notes, rules: made.filter(({ kind }) => kind !== "Gateway").flatMap(({ spec }) => spec.rules) };
};

describe("an annotation of ingress-nginx is translated", () => {
  const rows: { name: string; annotations: Record<string, string>; rule: object }[] = [
    {
      name: "none: path and service",
      annotations: {},
      rule: { matches: [{ path: { type: "PathPrefix", value: "/x" } }], backendRefs: [{ name: "web", port: 80 }] },
    },
    {
      name: "rewrite-target",
      annotations: { "rewrite-target": "/" },
      rule: {
        filters: [{ type: "URLRewrite", urlRewrite: { path: { type: "ReplaceFullPath", replaceFullPath: "/" } } }],
      },
    },
    {
      name: "upstream-vhost",
      annotations: { "upstream-vhost": "in.test" },
      rule: { filters: [{ urlRewrite: { hostname: "in.test" } }] },
    },
    {
      name: "x-forwarded-prefix",
      annotations: { "x-forwarded-prefix": "/x" },
      rule: { filters: [{ requestHeaderModifier: { set: [{ name: "X-Forwarded-Prefix", value: "/x" }] } }] },
    },
    {
      name: "permanent-redirect",
      annotations: { "permanent-redirect": "https://b.test:8443/y" },
      rule: { filters: [{ requestRedirect: { scheme: "https", hostname: "b.test", port: 8443, statusCode: 301 } }] },
    },
    {
      name: "temporal-redirect",
      annotations: { "temporal-redirect": "/y" },
      rule: { filters: [{ requestRedirect: { path: { replaceFullPath: "/y" }, statusCode: 302 } }] },
    },
    {
      name: "enable-cors",
      annotations: { "enable-cors": "true", "cors-allow-origin": "https://a.test, https://b.test" },
      rule: {
        filters: [
          { type: "CORS", cors: { allowOrigins: ["https://a.test", "https://b.test"], allowCredentials: true } },
        ],
      },
    },
    {
      name: "proxy-read-timeout",
      annotations: { "proxy-read-timeout": "30" },
      rule: { timeouts: { backendRequest: "30s" } },
    },
    {
      name: "app-root",
      annotations: { "app-root": "/home" },
      rule: { matches: [{ path: { type: "Exact", value: "/" } }] },
    },
  ];
  for (const { name, annotations, rule } of rows)
    it(name, () => {
      const { rules, notes } = translate(ingress(annotations));
      expect(rules[0]).toMatchObject(rule);
      expect(notes).toEqual([]);
    });

  it("canary by weight and by header", () => {
    const canary = ingress({ canary: "true", "canary-weight": "20", "canary-by-header": "X-New" }, {}, "new");
    expect(translate(ingress(), canary).rules).toMatchObject([
      { matches: [{ headers: [{ name: "X-New", value: "always" }] }], backendRefs: [{ name: "new" }] },
      {
        backendRefs: [
          { name: "web", weight: 80 },
          { name: "new", weight: 20 },
        ],
      },
    ]);
  });

  it("backend-protocol GRPC makes a GRPCRoute", () => {
    const { made } = translate(ingress({ "backend-protocol": "GRPC" }));
    expect(made[1]).toMatchObject({
      kind: "GRPCRoute",
      spec: { rules: [{ matches: [{ method: { service: "x" } }] }] },
    });
  });
});

it("certificates make listeners, and redirects to HTTPS unless they are switched off", () => {
  const tls = { tls: [{ hosts: ["a.test"], secretName: "cert" }] };
  const redirected = translate(ingress({}, tls)).made;
  expect(redirected[0]?.spec.listeners).toMatchObject([{ port: 80 }, { hostname: "a.test", port: 443 }]);
  expect(redirected.map(({ metadata }) => metadata.name)).toEqual(["ingress", "web-a-test", "web-a-test-redirect"]);
  expect(redirected[1]?.spec.parentRefs).toEqual([{ name: "ingress", sectionName: "https-a-test" }]);
  expect(translate(ingress({ "ssl-redirect": "false" }, tls)).made).toHaveLength(2);
});

it("a default backend is a rule of each host, and a route for all others", () => {
  const defaultBackend = { service: { name: "rest", port: { number: 80 } } };
  const { made } = translate(ingress({}, { defaultBackend }));
  expect(made[1]?.spec.rules).toMatchObject([{}, { backendRefs: [{ name: "rest" }] }]);
  expect(made[2]).toMatchObject({
    metadata: { name: "web-any-host" },
    spec: { rules: [{ backendRefs: [{ name: "rest" }] }] },
  });
});

it("a named port is a number where it is known", () => {
  const named = (name: string) =>
    ingress(
      {},
      {
        rules: [
          {
            http: { paths: [{ path: "/", pathType: "Exact", backend: { service: { name: "web", port: { name } } } }] },
          },
        ],
      },
    );
  expect(translate(named("http"))).toMatchObject({ rules: [{ backendRefs: [{ port: 8080 }] }], notes: [] });
  expect(translate(named("other")).notes).toHaveLength(1);
});

it("what has no equivalent is named, with a reason", () => {
  const { notes } = translate(ingress({ "rewrite-target": "/$1", "configuration-snippet": "x", "limit-rps": "5" }));
  expect(notes.map((note) => /kubernetes\.io\/(\S+) is left out: (.{8})/.exec(note)?.slice(1))).toEqual([
    ["configuration-snippet", "snippets"],
    ["limit-rps", "it has n"],
    ["rewrite-target", "a target"],
  ]);
});
