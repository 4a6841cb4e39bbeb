export { attach, type AttachOptions, exec, type ExecOptions } from "./exec.js";
export type { CommandResult } from "./command-result.js";
export type { RemoteCommand, TerminalSize } from "./remote-command.js";
export { portForward, type PortForward, type PortForwardOptions } from "./port-forward.js";
export { copyFromPod, type CopyOptions, copyToPod } from "./copy.js";
