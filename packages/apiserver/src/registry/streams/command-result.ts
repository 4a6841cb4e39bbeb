import { quoteGo } from "@coxswain/apimachinery/field";
import { internalError, type Status, type StatusCause } from "@coxswain/apimachinery/status";

/** Without kind, code or anything else: that is how upstream writes these on the error channel. */
export const succeeded = { metadata: {}, status: "Success" } as unknown as Status;

/** What a kubelet sends on its error stream, as it is passed to the client: since v4 a Status, before that plain text. */
export function commandResult(message: string, protocol: string): Status {
  if (protocol !== "v4.channel.k8s.io" && protocol !== "v5.channel.k8s.io")
    return internalError(`error executing remote command: ${message}`).status;
  const status = parse(message);
  if (typeof status === "string") return internalError(`error stream protocol error: ${status}`).status;
  if (status.status === "Success") return succeeded;
  if (status.status !== "Failure") return internalError("error stream protocol error: unknown error").status;
  return (status.reason as string) === "NonZeroExitCode"
    ? exitResult(status)
    : internalError(status.message ?? "").status;
}

/** A Status, or what is wrong with it. */
function parse(message: string): Status | string {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === "object" && value !== null
      ? (value as Status)
      : `json: cannot unmarshal in ${quoteGo(message)}`;
  } catch (err) {
    return `${(err as Error).message} in ${quoteGo(message)}`;
  }
}

function exitResult({ details }: Status): Status {
  const broken = (why: string): Status => internalError(`error stream protocol error: ${why}`).status;
  if (!details) return broken("details must be set");
  const causes: readonly StatusCause[] = details.causes ?? [];
  const code = causes.find(({ reason }) => reason === "ExitCode")?.message;
  if (code === undefined) return broken("no ExitCode cause given");
  if (!/^\d+$/.test(code) || Number(code) > 255) return broken(`invalid exit code value ${quoteGo(code)}`);
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: command terminated with exit code ${Number(code)}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(Number(code)) }] },
  } as unknown as Status;
}
