import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KubeletRefusal } from "./kubelet-source.js";
import { serveSystemLogs } from "./system-logs.js";

let top: string;
let server: Server;
beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), "coxswain-logs-"));
  const logs = join(top, "log");
  await mkdir(join(logs, "pods"), { recursive: true });
  await mkdir(join(logs, "containers"));
  await writeFile(join(top, "secret"), "key");
  await writeFile(join(logs, "syslog"), "line\n");
  await writeFile(join(logs, "empty"), "");
  await writeFile(join(logs, "<b>"), "");
  await writeFile(join(logs, "pods/0.log"), "of a pod");
  await symlink("../pods/0.log", join(logs, "containers/web.log"));
  await symlink("../secret", join(logs, "stolen"));
  execFileSync("mkfifo", [join(logs, "pipe")]);
  server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").slice("/logs".length));
    serveSystemLogs(logs, path, response).catch((error: unknown) => {
      const { code, message } = error as KubeletRefusal;
      response.writeHead(error instanceof KubeletRefusal ? code : 500).end(message);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.close();
  await rm(top, { recursive: true });
});

describe("logs of the machine", () => {
  const none = { code: 404, body: "404 page not found\n" };
  const cases = [
    { name: "a file", path: "/syslog", is: { code: 200, body: "line\n" } },
    { name: "an empty one", path: "/empty", is: { code: 200, body: "" } },
    { name: "a link within the directory", path: "/containers/web.log", is: { code: 200, body: "of a pod" } },
    { name: "a link out of it", path: "/stolen", is: none },
    { name: "a way up", path: "/..%2Fsecret", is: none },
    { name: "what is not there", path: "/none", is: none },
    { name: "a pipe", path: "/pipe", is: none },
    { name: "a directory without a slash", path: "/pods", is: { code: 301, body: "" } },
    {
      name: "a list",
      path: "/pods/",
      is: {
        code: 200,
        body: '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n<a href="0.log">0.log</a>\n</pre>\n',
      },
    },
    {
      name: "a name that looks like a tag",
      path: "/",
      is: { code: 200, body: expect.stringContaining('<a href="%3Cb%3E">&lt;b&gt;</a>') },
    },
  ];
  for (const { name, path, is } of cases)
    it(name, async () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logs${path}`;
      const answer = await fetch(url, { redirect: "manual" });
      expect({ code: answer.status, body: await answer.text() }).toEqual(is);
    });
});
