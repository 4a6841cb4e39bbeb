/** How a command is run on the machine. Never `ip netns exec`: it mounts /sys anew and hides the control groups. */
export const onMachine = (holder: number, command: readonly string[]): readonly string[] => [
  "nsenter",
  `--target=${holder}`,
  "--net",
  "--mount",
  "--uts",
  "--",
  ...command,
];

/** Holds a machine's namespaces; prints a line when they are there. */
export const planHolder = (): readonly string[] => [
  "unshare",
  "--net",
  "--mount",
  "--uts",
  "--propagation=private",
  "sh",
  "-c",
  "echo held; exec sleep infinity",
];
