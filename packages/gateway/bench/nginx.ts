import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Program {
  /** The process that does the work. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** nginx with one worker: a page of `bytes` on `port` or, with `to`, a proxy with connections that are kept. */
export async function startNginx(port: number, content: { bytes: number } | { to: number }): Promise<Program> {
  const directory = await mkdtemp(join(tmpdir(), "coxswain-gateway-bench-"));
  const server =
    "to" in content
      ? `upstream pages { server 127.0.0.1:${content.to}; keepalive 64; keepalive_requests 10000000; }
         server { listen 127.0.0.1:${port}; keepalive_requests 10000000;
           location / { proxy_pass http://pages; proxy_http_version 1.1; proxy_set_header Connection "";
             proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
             proxy_set_header X-Forwarded-Proto $scheme; } }`
      : `server { listen 127.0.0.1:${port}; keepalive_requests 10000000;
           location / { default_type text/plain; return 200 "${"x".repeat(content.bytes)}"; } }`;
  const file = join(directory, "nginx.conf");
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${directory}/pid; error_log ${directory}/error.log;
     events { worker_connections 1024; }
     http { access_log off; client_body_temp_path ${directory}/a; proxy_temp_path ${directory}/b;
       fastcgi_temp_path ${directory}/c; uwsgi_temp_path ${directory}/d; scgi_temp_path ${directory}/e; ${server} }`,
  );
  const master = spawn("nginx", ["-c", file, "-p", directory, "-e", join(directory, "error.log")], {
    stdio: "inherit",
  });
  await untilListening(port);
  return {
    pid: await childOf(master),
    async stop() {
      const gone = new Promise((resolve) => master.once("exit", resolve));
      master.kill("SIGTERM");
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const childOf = async ({ pid }: ChildProcess): Promise<number> =>
  Number((await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ")[0]);

export async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isThere) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}
