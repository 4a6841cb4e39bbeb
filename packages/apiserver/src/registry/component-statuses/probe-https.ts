import { request } from "node:https";
import type { Clock } from "@coxswain/runtime/clock";
import { ByteCollector } from "@coxswain/wire/bytes";
import type { ComponentHealth, ProbeComponent } from "./component-checks.js";

const timeoutMs = 20_000;
const mostBytes = 10 * 1024;

/** GET over TLS. The certificate is not verified, as upstream does it: only health is asked for, and nothing secret is sent. */
export const createHttpsProbe =
  (ioClock: Clock): ProbeComponent =>
  ({ host, port, path }) =>
    new Promise((resolve) => {
      const failed = (why: string): ComponentHealth => ({
        status: "False",
        message: `Get "https://${host}:${port}${path}": ${why}`,
      });
      const asked = request({
        host,
        port,
        path,
        rejectUnauthorized: false,
        agent: false,
        headers: { "user-agent": "kube-probe/1.36", accept: "*/*" },
      });
      const timer = ioClock.setTimer(timeoutMs, () => {
        resolve(failed("context deadline exceeded (Client.Timeout exceeded while awaiting headers)"));
        asked.destroy();
      });
      const done = (health: ComponentHealth): void => {
        timer.cancel();
        resolve(health);
      };
      asked.on("error", (err: NodeJS.ErrnoException) =>
        done(
          failed(err.code === "ECONNREFUSED" ? `dial tcp ${host}:${port}: connect: connection refused` : err.message),
        ),
      );
      asked.on("response", (response) => {
        const body = new ByteCollector();
        response.on("data", (chunk: Buffer) => void body.add(chunk.subarray(0, mostBytes - body.length)));
        response.on("error", (err) => done({ status: "Unknown", message: "", error: err.message }));
        response.on("end", () => done(healthOf(response.statusCode ?? 0, body.take().toString("utf8"))));
      });
      asked.end();
    });

function healthOf(code: number, body: string): ComponentHealth {
  if (code >= 200 && code < 300) return { status: "True", message: body };
  if (code >= 300 && code < 400)
    return { status: "Unknown", message: `Probe terminated redirects, Response body: ${body}` };
  // The body of an unhealthy component may hold what the client must not see.
  return { status: "False", message: `HTTP probe failed with statuscode: ${code}` };
}
