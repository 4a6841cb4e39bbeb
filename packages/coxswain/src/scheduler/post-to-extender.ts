import { readFileSync } from "node:fs";
import { systemClock } from "@coxswain/runtime/clock";
import type { PostJson } from "@coxswain/scheduler";
import { HttpClient, type HttpClientTls, HttpFailure } from "@coxswain/wire/http";

/** What an extender may answer: more is not read. A filter's answer names nodes, or holds them. */
const maxBytes = 64 << 20;
const headers = { "content-type": "application/json" };

/** Sends a question of the scheduler to an extender by HTTP or, with `enableHTTPS` or an https URL, by HTTPS. */
export const postToExtender: PostJson = async (url, body, { httpTimeoutMs: timeoutMs, tlsConfig = {} }) => {
  const http = new HttpClient({ ioClock: systemClock, tls: tlsOf(tlsConfig) });
  try {
    const answer = await http.exchange({ url, headers, body: JSON.stringify(body), timeoutMs, maxBytes });
    return { code: answer.code, body: parse(url, answer.body.toString()) };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    if (error.kind === "timeout")
      throw new Error(`the extender ${url} did not answer in ${timeoutMs} ms`, { cause: error });
    if (error.kind === "tooLong")
      throw new Error(`the extender ${url} answered more than ${maxBytes} bytes`, { cause: error });
    throw error;
  } finally {
    http.stop();
  }
};

function parse(url: string, text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    throw new Error(`the extender ${url} answered no JSON`, { cause: error });
  }
}

/** `tlsConfig` of an extender: files or data (base64), as in a rest.TLSClientConfig. */
function tlsOf(config: Readonly<Record<string, unknown>>): HttpClientTls {
  const text = (name: string): string | undefined => {
    const value = config[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const pem = (file: string, data: string): string | undefined => {
    const [content, path] = [text(data), text(file)];
    if (content !== undefined) return Buffer.from(content, "base64").toString();
    return path === undefined ? undefined : readFileSync(path, "utf8");
  };
  return {
    authority: pem("caFile", "caData"),
    certificate: pem("certFile", "certData"),
    key: pem("keyFile", "keyData"),
    serverName: text("serverName"),
    insecure: config["insecure"] === true,
  };
}
