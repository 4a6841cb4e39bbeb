/** A refusal of the runtime, in words for users. */
export class RuntimeError extends Error {
  override readonly name: string = "RuntimeError";
}

/** A command did not end in time, and was killed. */
export class ExecTimeoutError extends RuntimeError {
  override readonly name = "ExecTimeoutError";
}

/** A volume cannot be mounted yet. */
export class MountError extends Error {
  override readonly name: string = "MountError";
}

/** Of all volumes of a pod, those that cannot be mounted yet: by name, each with what is shown as an event of the pod; undefined: it only waits. */
export class VolumesError extends Error {
  override readonly name = "VolumesError";
  readonly problems: ReadonlyMap<string, string | undefined>;

  constructor(problems: ReadonlyMap<string, string | undefined>) {
    super([...problems].map(([name, problem]) => problem ?? `volume "${name}" is not attached yet`).join("; "));
    this.problems = problems;
  }
}

/** A container cannot be made from what its spec refers to, or asks for: CreateContainerConfigError. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
