import { type Status, StatusError, statusErrorFromObject } from "@coxswain/apimachinery/status";

/** How a command ended. */
export interface CommandResult {
  readonly exitCode: number;
}

/**
 * Reads what stands on the error stream: since version 4 of the protocol a Status, before that the text of an error, or
 * nothing where all went well. Throws a StatusError where the command could not be run at all.
 */
export function commandResult(text: string): CommandResult {
  if (text === "") return { exitCode: 0 };
  let status: Partial<Status>;
  try {
    status = JSON.parse(text) as Partial<Status>;
  } catch {
    throw failure(text);
  }
  if (status.status === "Success") return { exitCode: 0 };
  const cause =
    status.reason === ("NonZeroExitCode" as string) &&
    status.details?.causes?.find(({ reason }) => reason === "ExitCode");
  if (cause) return { exitCode: Number(cause.message ?? 1) };
  throw statusErrorFromObject({ kind: "Status", apiVersion: "v1", code: 500, ...status }) ?? failure(text);
}

const failure = (message: string): StatusError => new StatusError({ code: 500, reason: "InternalError", message });
