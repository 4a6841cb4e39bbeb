import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readLimited } from "./read-limited.js";

it("a body whose connection was cut before it is read ends at once: its request would keep its seats until it times out", async () => {
  const body = new Readable({ read() {} });
  body.push("half of it");
  body.destroy();
  await new Promise((resolve) => body.once("close", resolve));
  await expect(readLimited(body, 100)).rejects.toMatchObject({ status: { code: 400 } });
});

it("a body that has ended before is whole", async () => {
  const body = Readable.from([Buffer.from("ab"), Buffer.from("c")]);
  expect(Buffer.from(await readLimited(body, 3)).toString()).toBe("abc");
});
