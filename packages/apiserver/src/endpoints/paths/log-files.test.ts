import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RequestContext } from "../../request/request-context.js";
import { createLogFiles } from "./log-files.js";

describe("/logs", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-logs-"));
  const logs = join(folder, "logs");
  mkdirSync(join(logs, "pods"), { recursive: true });
  writeFileSync(join(logs, "server.log"), "one\ntwo\n");
  writeFileSync(join(logs, "empty.log"), "");
  writeFileSync(join(logs, "a <b>&.log"), "x");
  writeFileSync(join(folder, "secret"), "hidden");
  afterAll(() => rmSync(folder, { recursive: true }));

  const ask = async (path: string) => {
    const answer = await createLogFiles(logs)({ info: { path } } as RequestContext);
    if (answer?.as === "document")
      return {
        code: answer.code,
        text: new TextDecoder().decode(answer.bytes),
        ...(answer.headers?.location === undefined ? {} : { location: answer.headers.location }),
      };
    if (answer?.as !== "stream") return undefined;
    let text = "";
    for await (const chunk of answer.body ?? []) text += String(chunk);
    return { code: answer.code, text, length: answer.headers?.["content-length"] };
  };
  const notFound = { code: 404, text: "404 page not found\n" };

  const cases = [
    { name: "a file", path: "/logs/server.log", want: { code: 200, text: "one\ntwo\n", length: "8" } },
    { name: "an empty file", path: "/logs/empty.log", want: { code: 200, text: "", length: "0" } },
    { name: "the page itself", path: "/logs", want: { code: 301, text: "", location: "logs/" } },
    { name: "a directory without its slash", path: "/logs/pods", want: { code: 301, text: "", location: "pods/" } },
    {
      name: "an empty directory",
      path: "/logs/pods/",
      want: {
        code: 200,
        text: '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n</pre>\n',
      },
    },
    { name: "what is not there", path: "/logs/nothing", want: notFound },
    { name: "what is outside", path: "/logs/../secret", want: notFound },
    { name: "what is outside of a directory", path: "/logs/pods/../../secret", want: notFound },
    { name: "a name that no file can have", path: "/logs/a\0b", want: notFound },
    { name: "another page", path: "/logsx", want: undefined },
  ];
  for (const { name, path, want } of cases) it(name, async () => expect(await ask(path)).toEqual(want));

  it("lists what is there, whatever it is called", async () => {
    const { text = "" } = (await ask("/logs/")) ?? {};
    expect(text).toContain('<a href="pods/">pods/</a>\n<a href="server.log">server.log</a>\n');
    expect(text).toContain('<a href="a%20%3Cb%3E%26.log">a &#60;b&#62;&#38;.log</a>');
  });
});
