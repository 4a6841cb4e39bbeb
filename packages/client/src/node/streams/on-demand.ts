import type { NodeTransport } from "../http/index.js";
import type { CopyOptions } from "./copy.js";
import type { AttachOptions, ExecOptions } from "./exec.js";
import type { PortForward, PortForwardOptions } from "./port-forward.js";
import type { RemoteCommand } from "./remote-command.js";

// Controllers never open these streams, and WebSocket, SPDY and tar are 30 modules: they are loaded with the first call.

interface Sockets {
  readonly sockets: NodeTransport;
}

/** Runs a command in a container: over a WebSocket, else over SPDY. @throws StatusError, TransportError */
export const exec = async (client: Sockets, options: ExecOptions): Promise<RemoteCommand> =>
  (await import("./exec.js")).exec(client, options);

/** Joins the main process of a container. @throws StatusError, TransportError */
export const attach = async (client: Sockets, options: AttachOptions): Promise<RemoteCommand> =>
  (await import("./exec.js")).attach(client, options);

/** Over a WebSocket that carries SPDY, else over SPDY itself. @throws StatusError, TransportError */
export const portForward = async (client: Sockets, options: PortForwardOptions): Promise<PortForward> =>
  (await import("./port-forward.js")).portForward(client, options);

/** Copies a file or folder out of a container, which needs the program `tar`. Symbolic links and devices are left out. */
export const copyFromPod = async (client: Sockets, options: CopyOptions): Promise<{ files: number }> =>
  (await import("./copy.js")).copyFromPod(client, options);

/** Copies a file or folder into a container, which needs the program `tar`. Symbolic links are followed. */
export const copyToPod = async (client: Sockets, options: CopyOptions): Promise<{ files: number }> =>
  (await import("./copy.js")).copyToPod(client, options);
