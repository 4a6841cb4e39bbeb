import { readFileSync } from "node:fs";
import { request as requestPlain } from "node:http";
import { type RequestOptions, request as requestSecure } from "node:https";
import type { PostJson } from "@coxswain/scheduler";
import { ByteCollector } from "@coxswain/wire/bytes";

/** What an extender may answer: more is not read. A filter's answer names nodes, or holds them. */
const maxAnswerBytes = 64 << 20;

/** Sends a question of the scheduler to an extender by HTTP or, with `enableHTTPS` or an https URL, by HTTPS. */
export const postToExtender: PostJson = (url, body, settings) =>
  new Promise((resolve, reject) => {
    const payload = Buffer.from(JSON.stringify(body));
    const options: RequestOptions = {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": payload.length },
      timeout: settings.httpTimeoutMs,
      ...tlsOf(settings.tlsConfig ?? {}),
    };
    const send = url.startsWith("https:") ? requestSecure : requestPlain;
    const asked = send(url, options, (answer) => {
      const body = new ByteCollector();
      answer.on("data", (chunk: Buffer) => {
        if (body.length + chunk.length > maxAnswerBytes)
          asked.destroy(new Error(`the extender ${url} answered more than ${maxAnswerBytes} bytes`));
        else body.add(chunk);
      });
      answer.on("error", reject);
      answer.on("end", () => {
        const text = body.take().toString();
        try {
          resolve({ code: answer.statusCode ?? 0, body: text === "" ? undefined : JSON.parse(text) });
        } catch (error) {
          reject(new Error(`the extender ${url} answered no JSON`, { cause: error }));
        }
      });
    });
    asked.on("timeout", () =>
      asked.destroy(new Error(`the extender ${url} did not answer in ${settings.httpTimeoutMs} ms`)),
    );
    asked.on("error", reject);
    asked.end(payload);
  });

/** `tlsConfig` of an extender: files or data (base64), as in a rest.TLSClientConfig. */
function tlsOf(config: Readonly<Record<string, unknown>>): RequestOptions {
  const pem = (file: string, data: string): string | undefined => {
    const content = config[data];
    if (typeof content === "string" && content !== "") return Buffer.from(content, "base64").toString();
    const path = config[file];
    return typeof path === "string" && path !== "" ? readFileSync(path, "utf8") : undefined;
  };
  const [ca, cert, key] = [pem("caFile", "caData"), pem("certFile", "certData"), pem("keyFile", "keyData")];
  const { serverName, insecure } = config;
  return {
    ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(typeof serverName === "string" && serverName !== "" && { servername: serverName }),
    ...(insecure === true && { rejectUnauthorized: false }),
  };
}
