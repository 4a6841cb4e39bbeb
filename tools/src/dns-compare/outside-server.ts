import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { decodeMessage, encodeMessage, type Message, type ResourceRecord, responseCodes } from "@coxswain/wire/dns";

/** A server for all names outside of the cluster, the same for both: `www.example.com` exists, nothing else does. */
export async function startOutsideServer(): Promise<{ port: number; stop(): Promise<void> }> {
  const tcp = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => {
      const answer = encodeMessage(answerTo(decodeMessage(data.subarray(2, 2 + data.readUInt16BE(0)))));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.end(Buffer.concat([length, answer]));
    });
  });
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4");
  udp.on("message", (bytes, { address, port: from }) =>
    udp.send(encodeMessage(answerTo(decodeMessage(bytes))), from, address),
  );
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  return {
    port,
    async stop() {
      udp.close();
      tcp.close();
    },
  };
}

function answerTo(query: Message): Message {
  const question = query.questions[0]!;
  const head = { name: question.name, class: 1, ttl: 300 };
  const isKnown = question.name.toLowerCase() === "www.example.com";
  const answers: ResourceRecord[] =
    isKnown && question.type === 1
      ? [
          { ...head, type: "A", address: "192.0.2.1" },
          { ...head, type: "A", address: "192.0.2.2" },
        ]
      : isKnown && question.type === 28
        ? [{ ...head, type: "AAAA", address: "2001:db8::1" }]
        : [];
  const soa: ResourceRecord = {
    ...head,
    name: "example.com",
    type: "SOA",
    nameServer: "ns.example.com",
    mailbox: "hostmaster.example.com",
    serial: 1,
    refresh: 2,
    retry: 3,
    expire: 4,
    minimum: 300,
  };
  return {
    ...query,
    isResponse: true,
    authoritative: false,
    recursionAvailable: true,
    responseCode: isKnown ? responseCodes.NOERROR : responseCodes.NXDOMAIN,
    answers,
    authorities: answers.length > 0 ? [] : [soa],
    additionals: [],
    edns: query.edns && { ...query.edns, options: [] },
  };
}
