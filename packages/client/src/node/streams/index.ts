export { attach, copyFromPod, copyToPod, exec, portForward } from "./on-demand.js";
export type { AttachOptions, ExecOptions } from "./exec.js";
export type { CommandResult } from "./command-result.js";
export type { CopyOptions } from "./copy.js";
export type { PortForward, PortForwardOptions } from "./port-forward.js";
export type { RemoteCommand, TerminalSize } from "./remote-command.js";
export { openWebSocket, type StreamRequest } from "./upgrade.js";
