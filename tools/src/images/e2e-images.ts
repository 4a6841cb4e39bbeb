import { type BusyboxFacts, busyboxLayer } from "./busybox-layer.js";
import type { ImagePlan, ImagesPlan, LayerPlan } from "./image-plan.js";
import { pauseRef } from "./small-images.js";
import type { TarEntry } from "./tar.js";

/** Where the parts are on this machine. */
export interface E2eFacts extends BusyboxFacts {
  /** A Debian root file system as a tar archive (debian-base.ts). */
  readonly base: string;
  /** Programs by name. */
  readonly programs: Readonly<
    Record<
      "agnhost" | "coredns" | "etcd" | "nonewprivs" | "pause" | "regression-issue-74839" | "sample-apiserver",
      string
    >
  >;
  /** The folder `test/images` of Kubernetes' sources. */
  readonly sources: string;
  /** Names in `html` of each: pages that a rolling update of pods changes. */
  readonly pages: Readonly<Record<"kitten" | "nautilus", readonly string[]>>;
}

const e2e = (name: string): string => `registry.k8s.io/e2e-test-images/${name}`;
const webServer = { Entrypoint: ["/agnhost"], Cmd: ["test-webserver"] };

/**
 * Stand-ins for the images that the suite's tests name (test/utils/image/manifest.go), made from Debian's packages and Kubernetes'
 * sources: registries cannot be reached from where nodes run.
 */
export const planE2eImages = (facts: E2eFacts): ImagesPlan => ({ layers: layersOf(facts), images });

const images: readonly ImagePlan[] = [
  {
    refs: [pauseRef, "registry.k8s.io/pause:3.10.1", "registry.k8s.io/pause:3.10"],
    layers: ["pause"],
    config: { Entrypoint: ["/pause"], User: "65535:65535" },
  },
  { refs: [e2e("busybox:1.37.0-1"), e2e("busybox:1.36.1-1")], layers: ["busybox"], config: { Cmd: ["sh"] } },
  {
    refs: [e2e("agnhost:2.63.0"), e2e("agnhost:2.55")],
    layers: ["base", "agnhost"],
    config: { Entrypoint: ["/agnhost"], Cmd: ["pause"] },
  },
  { refs: [e2e("kitten:1.8")], layers: ["base", "agnhost", "kitten"], config: webServer },
  { refs: [e2e("nautilus:1.8")], layers: ["base", "agnhost", "nautilus"], config: webServer },
  { refs: [e2e("glibc-dns-testing:2.0.0")], layers: ["base"], config: { Cmd: ["bash"] } },
  { refs: [e2e("perl:5.26")], layers: ["base"], config: { Cmd: ["perl", "-de0"] } },
  { refs: [e2e("nonroot:1.5")], layers: ["base"], config: { User: "1234" } },
  { refs: [e2e("ipc-utils:1.4")], layers: ["base"], config: { Cmd: ["sh"] } },
  {
    refs: [e2e("nginx:1.15-4"), e2e("nginx:1.27-0")],
    layers: ["base", "nginx"],
    config: { Cmd: ["nginx", "-g", "daemon off;"], StopSignal: "SIGQUIT" },
  },
  { refs: [e2e("nonewprivs:1.4")], layers: ["busybox", "nonewprivs"], config: { Cmd: ["nnp"] } },
  {
    refs: [e2e("regression-issue-74839:1.4")],
    layers: ["base", "regression-issue-74839"],
    config: { Entrypoint: ["/regression-issue-74839"] },
  },
  // Its test looks at connections of the node, which the kernel shows as a file.
  { refs: ["registry.k8s.io/build-image/distroless-iptables:v0.9.6"], layers: ["base"], config: { Cmd: ["sh"] } },
  {
    refs: [e2e("sample-apiserver:1.29.2")],
    layers: ["base", "sample-apiserver"],
    config: { Entrypoint: ["/sample-apiserver"] },
  },
  { refs: ["registry.k8s.io/etcd:3.6.8-0"], layers: ["base", "etcd"], config: { Cmd: ["/usr/local/bin/etcd"] } },
];

const nginxConfig = `user www-data;
worker_processes 1;
pid /run/nginx.pid;
events { worker_connections 256; }
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  access_log /dev/stdout;
  error_log /dev/stderr;
  server { listen 80; location / { root /usr/share/nginx/html; index index.html; } }
}
`;
const nginxPage = "<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body></body></html>\n";
/** Tests that look for the image's distribution look for Alpine. */
const alpineRelease = 'NAME="Alpine Linux"\nID=alpine\nPRETTY_NAME="Alpine Linux stand-in"\n';

const copy = (path: string, source: string, mode = 0o755): TarEntry => ({ kind: "copy", path, source, mode });
const entries = (list: readonly TarEntry[]): LayerPlan => ({ kind: "entries", entries: list });

function layersOf(facts: E2eFacts): Readonly<Record<string, LayerPlan>> {
  const { programs, sources, pages } = facts;
  const site = (name: "kitten" | "nautilus"): LayerPlan =>
    entries([
      ...pages[name].map((page) => copy(page, `${sources}/${name}/html/${page}`, 0o644)),
      { kind: "file", path: "etc/os-release", content: alpineRelease },
    ]);
  return {
    base: { kind: "tar", path: facts.base },
    busybox: entries(busyboxLayer(facts)),
    pause: entries([copy("pause", programs.pause)]),
    agnhost: entries([
      copy("agnhost", programs.agnhost),
      { kind: "link", path: "agnhost-2", target: "agnhost" },
      { kind: "directory", path: "uploads" },
      ...["localhost.crt", "localhost.key"].map((file) => copy(file, `${sources}/agnhost/porter/${file}`, 0o644)),
      copy("coredns", programs.coredns),
    ]),
    kitten: site("kitten"),
    nautilus: site("nautilus"),
    nginx: entries([
      { kind: "file", path: "etc/nginx/nginx.conf", content: nginxConfig },
      { kind: "file", path: "usr/share/nginx/html/index.html", content: nginxPage },
    ]),
    // Its program finds out whether set-user-id bits are honoured.
    nonewprivs: entries([
      { kind: "directory", path: "usr/local" },
      { kind: "directory", path: "usr/local/bin" },
      copy("usr/local/bin/nnp", programs.nonewprivs, 0o6755),
    ]),
    "regression-issue-74839": entries([copy("regression-issue-74839", programs["regression-issue-74839"])]),
    "sample-apiserver": entries([copy("sample-apiserver", programs["sample-apiserver"])]),
    etcd: entries([copy("usr/local/bin/etcd", programs.etcd)]),
  };
}
