import { describe, expect, it } from "vitest";
import { rewriteUrl } from "./rewrite-url.js";

const prefix = "/api/v1/nodes/n1/proxy";
const view = { prefix, sourceHost: "10.0.0.9:10250", requestHost: "localhost:8001" };

// What upstream's proxy makes of links when it stands behind no other (k8s.io/apimachinery/pkg/util/proxy).
const cases = [
  { name: "a path of the same server", url: "/google.log", to: `${prefix}/google.log` },
  { name: "a slash at the end stays", url: "/google.log/", to: `${prefix}/google.log/` },
  { name: "query and fragment stay", url: "/a?b=/c#d", to: `${prefix}/a?b=/c#d` },
  { name: "dots are taken out", url: "/a/../b", to: `${prefix}/b` },
  { name: "a relative link", url: "kubelet.log", to: "kubelet.log" },
  { name: "nothing but a query", url: "?x=1", to: "?x=1" },
  { name: "nothing but a fragment", url: "#top", to: "#top" },
  { name: "nothing", url: "", to: "" },
  { name: "another server", url: "http://example.com/kubernetes.js", to: "http://example.com/kubernetes.js" },
  { name: "another server, the scheme left out", url: "//example.com/k.js", to: "//example.com/k.js" },
  { name: "the same server by its address", url: "http://10.0.0.9:10250/k.js", to: `${prefix}/k.js` },
  {
    name: "the host that the client sees keeps its origin",
    url: "http://localhost:8001/redirected/",
    to: `http://localhost:8001${prefix}/redirected/`,
  },
  { name: "what leads through the proxy already", url: `${prefix}/google.log`, to: `${prefix}/google.log` },
  { name: "a mail address", url: "mailto:a@example.com", to: "mailto:a@example.com" },
  {
    name: "what a path may not hold is escaped",
    url: "/target/%00<script>alert(1)</script>/",
    to: `${prefix}/target/%00%3Cscript%3Ealert%281%29%3C/script%3E/`,
  },
  { name: "of another server too", url: "http://example.com/%00<script>/", to: "http://example.com/%00%3Cscript%3E/" },
  { name: "an escaped path is escaped anew behind the prefix", url: "/a%20b%28c%29", to: `${prefix}/a%20b%28c%29` },
  { name: "what cannot be decoded stays", url: "/%zz<", to: "/%zz<" },
];

describe("links of a page behind a proxy", () => {
  for (const { name, url, to } of cases) it(name, () => expect(rewriteUrl(url, view)).toBe(to));
});
