import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isNotFound } from "@coxswain/apimachinery/status";
import {
  attach,
  type ConnectedClient,
  connect,
  copyFromPod,
  copyToPod,
  exec,
  portForward,
} from "@coxswain/client/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PodServer, startPodServer } from "./pod-server.js";

const pod = { namespace: "default", pod: "web", container: "main" };

for (const speaks of ["websocket", "spdy"] as const) {
  describe(`streams to a pod whose server speaks ${speaks}`, () => {
    let server: PodServer;
    let client: ConnectedClient;
    let folder: string;
    beforeAll(async () => {
      server = await startPodServer({ speaks });
      client = connect({ server: server.server });
      folder = mkdtempSync(join(tmpdir(), "coxswain-streams-"));
    });
    afterAll(async () => {
      await client.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    it("a command has two outputs and an exit code", async () => {
      const command = await exec(client, { ...pod, command: ["sh", "-c", "echo out; echo err >&2; exit 3"] });
      const [out, err, result] = await Promise.all([text(command.stdout), text(command.stderr), command.done]);
      expect([out, err, result]).toEqual(["out\n", "err\n", { exitCode: 3 }]);
      expect(server.asked.at(-1)).toMatch(/command=sh&command=-c&command=.*&container=main&stdout=true&stderr=true$/);
    });

    it("the end of the input reaches the command", async () => {
      const command = await exec(client, { ...pod, command: ["cat"], stdin: true });
      const input = "x".repeat(1_000_000);
      command.stdin.end(input);
      const [out, result] = await Promise.all([text(command.stdout), command.done]);
      expect(out === input).toBe(true);
      expect(result).toEqual({ exitCode: 0 });
    });

    it("a terminal has one output and is resized", async () => {
      const command = await exec(client, { ...pod, command: ["sleep", "0.2"], tty: true });
      command.resize({ columns: 80, rows: 24 });
      await Promise.all([text(command.stdout), command.done]);
      expect(server.sizes).toContain('{"Width":80,"Height":24}');
      expect(server.asked.at(-1)).not.toContain("stderr=true");
    });

    it("a command that cannot be run rejects", async () => {
      const command = await exec(client, { ...pod, command: ["/no/such/program"] });
      command.stdout.resume();
      command.stderr.resume();
      await expect(command.done).rejects.toThrow("cannot run");
    });

    it("what the API refuses is a StatusError", async () => {
      const refused = await exec(client, { ...pod, pod: "missing", command: ["ls"] }).catch((error: unknown) => error);
      expect(isNotFound(refused)).toBe(true);
      await expect(attach(client, { ...pod, pod: "missing" })).rejects.toThrow('pods "missing" not found');
    });

    it("forwards ports, several connections at once", async () => {
      const echo = createServer((socket) => socket.pipe(socket));
      await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
      const { port } = echo.address() as AddressInfo;
      const forward = await portForward(client, pod);
      const local = await forward.listen(port);
      const replies = await Promise.all(
        ["one", "two", "three"].map((word) => {
          const socket = dial(local.port, "127.0.0.1");
          socket.end(word);
          return text(socket);
        }),
      );
      expect(replies).toEqual(["one", "two", "three"]);
      await local.close();
      const closed = await forward.connect(1);
      await expect(text(closed)).rejects.toThrow("port 1: connect ECONNREFUSED");
      forward.close();
      await forward.closed;
      echo.close();
    });

    it("copies folders in and out, with modes and long names, and follows no links out", async () => {
      const long = `${"long-".repeat(30)}name.txt`;
      mkdirSync(join(folder, "source/sub"), { recursive: true });
      writeFileSync(join(folder, "source/sub", long), "deep", { mode: 0o600 });
      writeFileSync(join(folder, "source/ümlaut"), Buffer.alloc(70_000, 7));
      const inside = join(folder, "container");
      mkdirSync(inside);
      const sent = await copyToPod(client, { ...pod, localPath: join(folder, "source"), path: join(inside, "copy") });
      expect(sent).toEqual({ files: 2 });
      expect(statSync(join(inside, "copy/sub", long)).mode & 0o777).toBe(0o600);
      symlinkSync("/etc/passwd", join(inside, "copy/link"));
      const back = await copyFromPod(client, { ...pod, path: join(inside, "copy"), localPath: join(folder, "back") });
      expect(back).toEqual({ files: 2 });
      expect(readFileSync(join(folder, "back/sub", long), "utf8")).toBe("deep");
      expect(readFileSync(join(folder, "back/ümlaut"))).toEqual(Buffer.alloc(70_000, 7));
      expect(() => statSync(join(folder, "back/link"))).toThrow("ENOENT");
    });

    it("a failed tar reports what tar prints", () =>
      expect(copyFromPod(client, { ...pod, path: "/no/such/folder", localPath: join(folder, "none") })).rejects.toThrow(
        /exit code 2: tar: [^]*\/no\/such\/folder/,
      ));
  });
}
