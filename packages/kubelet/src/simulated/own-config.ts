import type { ContainerConfig } from "../runtime/container-runtime.js";

/** What is still asked of a container's configuration once it is made; its pod is its home's. */
export type OwnConfig = Pick<
  ContainerConfig,
  | "name"
  | "kind"
  | "image"
  | "command"
  | "args"
  | "env"
  | "workingDir"
  | "mounts"
  | "terminationMessagePath"
  | "terminationMessagePolicy"
>;

/** What a simulated container runs with. */
export type SimulatedConfig = OwnConfig & Pick<ContainerConfig, "pod">;

export const ownConfig = (config: OwnConfig): OwnConfig => ({
  name: config.name,
  kind: config.kind,
  image: config.image,
  command: config.command,
  args: config.args,
  env: config.env,
  workingDir: config.workingDir,
  mounts: config.mounts.slice(), // without the room that an array has which grew
  terminationMessagePath: config.terminationMessagePath,
  terminationMessagePolicy: config.terminationMessagePolicy,
});
