const variable = "COXSWAIN_ENDS_WITH_STDIN";

/** The environment of a child whose parent holds the other end of its standard input. */
export const endsWithParent: Readonly<Record<string, string>> = { [variable]: "1" };

/**
 * A process with that environment ends as by SIGTERM when its parent has ended. The kernel closes the pipe however the parent ends, also
 * by SIGKILL, after which nobody else could end this process. Its own children do not inherit it.
 */
export function endWithParent(): void {
  if (process.env[variable] === undefined) return;
  delete process.env[variable];
  const { stdin } = process;
  stdin.once("close", () => process.kill(process.pid, "SIGTERM"));
  stdin.on("error", () => stdin.destroy());
  stdin.resume();
  stdin.unref(); // a command that has come to its end does not wait for its parent's
}
