import { request } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { dial, established } from "./dial.js";
import type { Proxy } from "./proxy.js";
import type { ServerAddress } from "./server-address.js";

/** A connection to `target` that a proxy carries. */
export async function tunnelThroughProxy(proxy: Proxy, target: ServerAddress, signal: AbortSignal): Promise<Socket> {
  const { hostname, port } = proxy.url;
  const host = hostname.replace(/^\[|\]$/g, "");
  const usual = { http: 80, https: 443, socks5: 1080 }[proxy.kind];
  const socket = await dial({ host, port: port === "" ? usual : Number(port) }, signal);
  try {
    if (proxy.kind === "socks5") return await connectBySocks(socket, proxy.url, target);
    const carrier =
      proxy.kind === "http"
        ? socket
        : await established(
            connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) }),
            "secureConnect",
            signal,
          );
    return await connectByHttp(carrier, proxy.url, target);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const credentialsOf = ({ username, password }: URL): { username: string; password: string } | undefined =>
  username === "" ? undefined : { username: decodeURIComponent(username), password: decodeURIComponent(password) };

/** RFC 9110, section 9.3.6. */
function connectByHttp(socket: Socket, proxy: URL, { host, port }: ServerAddress): Promise<Socket> {
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const credentials = credentialsOf(proxy);
  return new Promise((resolve, reject) => {
    const asked = request({
      method: "CONNECT",
      path: target,
      createConnection: () => socket,
      headers: {
        host: target,
        ...(credentials && {
          "proxy-authorization": `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`,
        }),
      },
    });
    asked.once("error", reject);
    asked.once("response", (response) => {
      response.destroy();
      reject(new Error(`the proxy answered ${response.statusCode} ${response.statusMessage ?? ""}`.trim()));
    });
    asked.once("connect", (response, tunnel: Socket, head) => {
      if (response.statusCode !== 200)
        return reject(new Error(`the proxy answered ${response.statusCode} ${response.statusMessage ?? ""}`.trim()));
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel);
    });
    asked.end();
  });
}

/** RFC 1928, with a name and password as in RFC 1929. Names are resolved by the proxy. */
async function connectBySocks(socket: Socket, proxy: URL, { host, port }: ServerAddress): Promise<Socket> {
  const credentials = credentialsOf(proxy);
  const read = createReader(socket);
  socket.write(credentials ? Buffer.from([5, 2, 0, 2]) : Buffer.from([5, 1, 0]));
  const [, method] = await read(2);
  if (method === 2 && credentials) {
    const name = Buffer.from(credentials.username);
    const password = Buffer.from(credentials.password);
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([password.length]), password]));
    if ((await read(2))[1] !== 0) throw new Error("the SOCKS proxy refused the user name or password");
  } else if (method !== 0) throw new Error("the SOCKS proxy accepts no way of authentication that was offered");
  const name = Buffer.from(host);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 0xff])]));
  const [, reply = 0, , type] = await read(4);
  if (reply !== 0) throw new Error(`the SOCKS proxy could not connect (reply ${reply})`);
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await read(1))[0] as number);
  await read(length + 2);
  read.release();
  return socket;
}

/** Reads exactly so many bytes at a time; what comes after goes back to the socket at `release`. */
function createReader(socket: Socket): ((bytes: number) => Promise<Buffer>) & { release(): void } {
  let buffered = Buffer.alloc(0);
  let wake: () => void = () => {};
  let failure: Error | undefined;
  const data = (chunk: Buffer): void => {
    buffered = Buffer.concat([buffered, chunk]);
    wake();
  };
  const fail = (error?: Error): void => {
    failure = error ?? new Error("the proxy closed the connection");
    wake();
  };
  socket.on("data", data);
  socket.once("error", fail);
  socket.once("close", fail);
  const read = async (bytes: number): Promise<Buffer> => {
    while (buffered.length < bytes) {
      if (failure) throw failure;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    const taken = buffered.subarray(0, bytes);
    buffered = buffered.subarray(bytes);
    return taken;
  };
  const release = (): void => {
    socket.off("data", data);
    socket.off("error", fail);
    socket.off("close", fail);
    socket.pause();
    if (buffered.length > 0) socket.unshift(buffered);
  };
  return Object.assign(read, { release });
}
