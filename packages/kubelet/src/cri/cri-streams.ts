import { runtimeService } from "../gen/cri.js";
import type { StreamsByUrl } from "../runtime/container-runtime.js";
import type { CriClient } from "./cri-client.js";
import type { CriPods } from "./cri-pods.js";

/** Streams of the runtime's own server. */
export const createCriStreams = (client: CriClient, pods: CriPods): StreamsByUrl => ({
  kind: "url",
  async exec({ id, command, stdin, stdout, stderr, tty }) {
    const request = { containerId: id, cmd: command, stdin, stdout, stderr, tty };
    return (await client.call(runtimeService.exec, request)).url;
  },
  async attach({ id, stdin, stdout, stderr, tty }) {
    return (await client.call(runtimeService.attach, { containerId: id, stdin, stdout, stderr, tty })).url;
  },
  async portForward({ podUid, ports }) {
    const podSandboxId = await pods.readySandbox(podUid);
    return (await client.call(runtimeService.portForward, { podSandboxId, port: ports })).url;
  },
});
