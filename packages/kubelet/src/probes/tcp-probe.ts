import { connect } from "node:net";
import type { Clock } from "@coxswain/runtime/clock";
import { dialError } from "./dial-error.js";
import { joinHostPort } from "./http-get-request.js";
import type { ProbeResult } from "./probe-result.js";

/** Whether a connection can be opened (pkg/probe/tcp/tcp.go, DoTCPProbe). It is closed at once. */
export function probeTcp(
  clock: Clock,
  { host, port, timeoutMs }: { readonly host: string; readonly port: number; readonly timeoutMs: number },
): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (result: ProbeResult): void => {
      timer.cancel();
      resolve(result);
    };
    const timer = clock.setTimer(timeoutMs, () => {
      socket.destroy();
      end({ kind: "failure", output: `dial tcp ${joinHostPort(host, port)}: i/o timeout` });
    });
    socket.once("connect", () => {
      end({ kind: "success", output: "" });
      socket.end(() => socket.destroy());
    });
    socket.on("error", (error) => end({ kind: "failure", output: dialError(error, host, port) }));
  });
}
