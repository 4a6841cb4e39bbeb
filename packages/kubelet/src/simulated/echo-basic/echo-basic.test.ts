import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import type { Duplex } from "node:stream";
import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { connectedPair } from "../../runtime/connected-pair.js";
import { createEchoBasic } from "./echo-basic.js";

const printed: string[] = [];

/** A connection to a port of the program, as a pod's. */
function dial(env: Record<string, string>, port: number, transport: "tcp" | "udp" = "tcp"): Duplex {
  const [ours, theirs] = connectedPair();
  const variables: Record<string, string> = { POD_NAME: "web-1", NAMESPACE: "shop", ...env };
  createEchoBasic({
    args: [],
    env: (name) => variables[name] ?? "",
    read: async () => undefined,
    print: (line) => void printed.push(line),
    runtime: systemRuntime(),
  }).serve(theirs, port, transport);
  return ours;
}

async function ask(path: string, headers: Record<string, string> = {}) {
  const request = httpRequest({
    createConnection: () => dial({}, 3000),
    path,
    headers: { Host: "a.test", ...headers },
  });
  request.end();
  const [response] = await once(request, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode as number, headers: response.headers, body };
}

describe("the simulated echo backend", () => {
  it("describes requests of HTTP, and prints them", async () => {
    const { body, headers } = await ask("/x?y=1", { "x-one": "1", "X-Echo-Set-Header": "X-Set:a, X-Set:b" });
    expect(JSON.parse(body)).toMatchObject({
      path: "/x?y=1",
      host: "a.test",
      method: "GET",
      proto: "HTTP/1.1",
      headers: { "X-One": ["1"] },
      namespace: "shop",
      pod: "web-1",
    });
    expect(headers["x-set"]).toBe("a,b");
    expect(printed.at(-1)).toContain("Echoing back request made to /x?y=1 to client");
  });

  it("adds no header for an empty line that asks for none", async () =>
    expect(await ask("/", { "X-Echo-Set-Header": "" })).toMatchObject({ status: 200 }));

  it("answers with the status of the path", async () =>
    expect(await ask("/status/418")).toMatchObject({ status: 418 }));

  it("closes the connections of the first attempts", async () => {
    await expect(ask("/retry/x?uuid=1&succeedAfter=1")).rejects.toThrow("socket hang up");
  });

  it("answers HTTP/2 by prior knowledge", async () => {
    const session = connectHttp2("http://a.test", { createConnection: () => dial({}, 3001) });
    const stream = session.request({ ":path": "/x" });
    let body = "";
    stream.setEncoding("utf8").on("data", (text) => (body += text));
    await once(stream, "end");
    expect(JSON.parse(body)).toMatchObject({ proto: "HTTP/2.0", host: "a.test:80", pod: "web-1" });
    session.close();
  });

  it("answers gRPC with its pod and status in trailers", async () => {
    const session = connectHttp2("http://a.test", { createConnection: () => dial({ GRPC_ECHO_SERVER: "1" }, 3000) });
    const stream = session.request({
      ":method": "POST",
      ":path": "/gateway_api_conformance.echo_basic.grpcecho.GrpcEcho/Echo",
      "content-type": "application/grpc",
    });
    stream.end(Buffer.alloc(5));
    let body = Buffer.alloc(0);
    stream.on("data", (chunk) => (body = Buffer.concat([body, chunk])));
    const [trailers] = await once(stream, "trailers");
    expect(trailers).toMatchObject({ "grpc-status": "0" });
    if (!stream.readableEnded) await once(stream, "end");
    expect(body.readUInt32BE(1)).toBe(body.length - 5);
    expect(body.toString("latin1")).toContain("web-1");
    session.close();
  });

  it("answers lines of TCP", async () => {
    const connection = dial({ TCP_ECHO_SERVER: "1" }, 3000);
    connection.end("PING\nTEST\n");
    let text = "";
    for await (const chunk of connection) text += chunk;
    const [welcome, pong, facts = ""] = text.split("\n");
    expect([welcome, pong]).toEqual(["Gateway API Test TCP Server", "PONG"]);
    expect(JSON.parse(facts)).toMatchObject({ pod: "web-1", isTLS: false });
  });

  it("answers datagrams, each behind its length", async () => {
    const flow = dial({ UDP_ECHO_SERVER: "1" }, 8080, "udp");
    flow.write(Buffer.from("\0\x02hi", "latin1"));
    const answer = (await once(flow, "data"))[0] as Buffer;
    expect(JSON.parse(answer.subarray(2).toString())).toMatchObject({ request: "hi", pod: "web-1" });
    flow.destroy();
  });
});
