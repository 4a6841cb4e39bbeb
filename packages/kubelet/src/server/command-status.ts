/** How a command ended. */
export interface CommandStatus {
  readonly metadata: object;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: object;
  readonly code?: number;
}

const statusProtocols = new Set(["v4.channel.k8s.io", "v4.base64.channel.k8s.io", "v5.channel.k8s.io"]);

/**
 * What is written on the error stream: since version 4 the Status, before that the text of a failure, and nothing after a success
 * (k8s.io/cri-streaming/pkg/streaming/remotecommand/httpstream.go, v1WriteStatusFunc and v4WriteStatusFunc).
 */
export function resultText(status: CommandStatus, protocol: string): string {
  if (statusProtocols.has(protocol)) return JSON.stringify(status);
  return status.status === "Success" ? "" : (status.message ?? "");
}

export const commandStatus = (exitCode: number): CommandStatus =>
  exitCode === 0
    ? { metadata: {}, status: "Success" }
    : {
        metadata: {},
        status: "Failure",
        message: `command terminated with non-zero exit code: exit status ${exitCode}`,
        reason: "NonZeroExitCode",
        details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
      };

/** As upstream's newInternalError (k8s.io/cri-streaming/pkg/streaming/remotecommand/status.go), of a failure that is no exit code. */
export const failureStatus = (failure: string): CommandStatus => ({
  metadata: {},
  status: "Failure",
  message: `Internal error occurred: ${failure}`,
  reason: "InternalError",
  code: 500,
});
