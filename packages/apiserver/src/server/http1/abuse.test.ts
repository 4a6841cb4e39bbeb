import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Subject, startSubject, testsUpstream } from "../http2/abuse-subject.test.support.js";
import { RawHttp1 } from "./abuse-client.test.support.js";
import { rows } from "./abuse-rows.test.support.js";

const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"}}';
const post = `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${object.length}\r\n\r\n${object}`;

describe("HTTP/1.1, byte by byte, answers as kube-apiserver does", { timeout: 30_000 }, () => {
  let subject: Subject;
  const open: RawHttp1[] = [];
  beforeAll(async () => {
    subject = await startSubject();
  });
  afterAll(() => subject.stop());
  afterEach(() => open.splice(0).forEach(({ socket }) => socket.destroy()));
  const dial = (): RawHttp1 => {
    const connection = new RawHttp1(subject.admin);
    open.push(connection);
    return connection;
  };
  /** Another client, whatever one does to its own connection. */
  const answersOthers = async (): Promise<void> => expect(await dial().outcome("")).toBe("open");

  for (const { name, sent, ends = false, want, ours } of rows) {
    it(name, async () => {
      expect(await dial().outcome(sent, { ends })).toBe(ours === undefined || testsUpstream ? want : ours[0]);
      await answersOthers();
    });
  }

  it("has no gap that is none", () =>
    expect(rows.filter(({ want, ours }) => ours?.[0] === want).map(({ name }) => name)).toEqual([]));

  it("a client that vanishes at any byte of a request leaves nothing behind", async () => {
    for (let sent = 0; sent <= post.length; sent += 3) {
      const connection = dial();
      connection.send(post.slice(0, sent));
      await new Promise<void>((resolve) => connection.socket.once("secureConnect", () => setImmediate(resolve)));
      connection.socket.destroy();
    }
    await answersOthers();
  });

  it("a client that sends a request byte by byte is answered", async () => {
    const connection = dial();
    for (const byte of post) {
      connection.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await connection.outcome("")).toBe("201, open");
  });

  it("a client that begins the next request before it reads the first answer is answered in order", async () => {
    const connection = dial();
    const [first, second] = ["default", "kube-system"].map(
      (name) => `GET /api/v1/namespaces/${name} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ) as [string, string];
    connection.send(first + second.slice(0, 10));
    await connection.until((answers) => answers.length === 1);
    connection.send(second.slice(10));
    await connection.until((answers) => answers.length === 2);
    expect(
      connection.answers().map(({ body }) => (JSON.parse(body) as { metadata: { name: string } }).metadata.name),
    ).toEqual(["default", "kube-system"]);
  });

  it("two hundred connections that send half a request hold up nobody", async () => {
    for (let at = 0; at < 200; at++) dial().send(post.slice(0, 40 + (at % 60)));
    await answersOthers();
  });
});
