import { pauseRef, writeImages } from "../images/index.js";
import { staticProgram } from "../nodes/index.js";
import { ensureProgram } from "../upstream/index.js";
import { ensureBackend } from "./suite-program.js";

/** The tags that the suite's manifests name; all are the backend of its release. */
const tags = ["v1.5.1", "v1.6.0-dev.2", "v1.6.0-dev.3"];

/** Makes the images of the suite's backends, for nodes that reach no registry. */
export async function writeBackendImages(folder: string, print: (line: string) => void): Promise<void> {
  const program = (path: string, source: string) =>
    ({ kind: "entries", entries: [{ kind: "copy", path, source, mode: 0o755 }] }) as const;
  await writeImages(folder, {
    layers: {
      pause: program("pause", staticProgram("pause")),
      echo: program("echo-basic", ensureBackend(print)),
      coredns: program("coredns", await ensureProgram("coredns")),
    },
    images: [
      { refs: [pauseRef], layers: ["pause"], config: { Entrypoint: ["/pause"], User: "65535:65535" } },
      {
        refs: tags.map((tag) => `registry.k8s.io/gateway-api/echo-basic:${tag}`),
        layers: ["echo"],
        config: { Entrypoint: ["/echo-basic"], User: "65532:65532" },
      },
      { refs: ["registry.k8s.io/coredns/coredns:v1.12.2"], layers: ["coredns"], config: { Entrypoint: ["/coredns"] } },
    ],
  });
}
