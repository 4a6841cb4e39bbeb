const numbered = (name: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${name}${from + i}`);

/** Sorted, as the message lists them. */
export const linuxSignals: readonly string[] = [
  ..."ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT"
    .split(" ")
    .map((name) => `SIG${name}`),
  "SIGRTMAX",
  ...numbered("SIGRTMAX-", 1, 14),
  "SIGRTMIN",
  ...numbered("SIGRTMIN+", 1, 15),
  ..."SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ"
    .split(" ")
    .map((name) => `SIG${name}`),
].sort();

export const windowsSignals: readonly string[] = ["SIGKILL", "SIGTERM"];
