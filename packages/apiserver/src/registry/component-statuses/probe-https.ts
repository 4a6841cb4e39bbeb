import type { Clock } from "@coxswain/runtime/clock";
import { HttpClient, HttpFailure } from "@coxswain/wire/http";
import type { ComponentHealth, ProbeComponent } from "./component-checks.js";

const timeoutMs = 20_000;
const maxBytes = 10 * 1024;
const headers = { "user-agent": "kube-probe/1.36", accept: "*/*" };

/** GET over TLS. The certificate is not verified, as upstream does it (pkg/registry/core/rest/storage_core.go, InsecureSkipVerify): only health is asked for, and nothing secret is sent. */
export function createHttpsProbe(ioClock: Clock): ProbeComponent {
  const http = new HttpClient({ ioClock, tls: { insecure: true } });
  return async ({ host, port, path }) => {
    const url = `https://${host}:${port}${path}`;
    try {
      const { code, body } = await http.exchange({ url, headers, timeoutMs, maxBytes, onTooLong: "cut" });
      return healthOf(code, body.toString("utf8"));
    } catch (error) {
      if (error instanceof HttpFailure && error.kind === "brokenBody")
        return { status: "Unknown", message: "", error: (error.cause as Error).message };
      return {
        status: "False",
        message: `Get "${url}": ${reasonOf(error as NodeJS.ErrnoException, `${host}:${port}`)}`,
      };
    }
  };
}

function reasonOf(error: NodeJS.ErrnoException, address: string): string {
  if (error instanceof HttpFailure) return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  return error.code === "ECONNREFUSED" ? `dial tcp ${address}: connect: connection refused` : error.message;
}

function healthOf(code: number, body: string): ComponentHealth {
  if (code >= 200 && code < 300) return { status: "True", message: body };
  if (code >= 300 && code < 400)
    return { status: "Unknown", message: `Probe terminated redirects, Response body: ${body}` };
  // The body of an unhealthy component may hold what the client must not see.
  return { status: "False", message: `HTTP probe failed with statuscode: ${code}` };
}
