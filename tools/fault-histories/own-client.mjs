// own-client.mjs KUBECONFIG SERVER NAMESPACE: writes, reads and watches with our client until standard input ends, then prints its history as JSON.
import { isStatusError } from "@coxswain/apimachinery/status";
import { retryWatch } from "@coxswain/client/informers";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { createSeededRandom } from "@coxswain/runtime/random";
import { createSender, now, outcomeOf, planRequest } from "../dist/fault-histories/clients/perform.js";
import { runWriter } from "../dist/fault-histories/clients/run-writer.js";
import { seenObject } from "../dist/fault-histories/history/stored-object.js";

const [path, server, namespace] = process.argv.slice(2);
const writers = 8;
const watchers = 4;
/** How often a caller sends a write again of which its client does not know what became of it, and after which time. */
const [retries, retryMs] = [20, 100];

const operations = [];
const watches = [];
let sentAgain = 0;
let givenUp = 0;
const open = () => connect({ ...loadKubeconfig({ path }), server });
const clients = [];
const configMapsOf = () => {
  const client = open();
  clients.push(client);
  return client.core.v1.configmaps(namespace);
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const readOptions = (read) => {
  if (read === "newest") return {};
  if (read === "any") return { resourceVersion: "0" };
  if ("exactly" in read) return { resourceVersion: String(read.exactly), resourceVersionMatch: "Exact" };
  return { resourceVersion: String(read.notOlderThan) };
};

/** The request by the method that a user of the client calls. */
async function send(configMaps, asked, client) {
  if (asked.verb === "list") {
    const { items, resourceVersion } = await configMaps.list(readOptions(asked.read));
    return { kind: "listed", revision: Number(resourceVersion), objects: items.map(seenObject) };
  }
  const { body } = planRequest(asked, client);
  switch (asked.verb) {
    case "create":
      return configMaps.create(body);
    case "replace":
      return configMaps.update(body);
    case "merge":
      return configMaps.patch(asked.key, { merge: body });
    case "apply":
      return configMaps.apply(body, { fieldManager: client, force: true });
    case "delete":
      return configMaps.delete(asked.key, { preconditions: body.preconditions });
    default:
      return configMaps.get(asked.key, readOptions(asked.read));
  }
}

/** Throws where there was no answer. */
async function answerTo(configMaps, asked, client) {
  try {
    const answer = await send(configMaps, asked, client);
    return answer.kind === "listed" ? answer : outcomeOf(asked, { code: 200, body: answer });
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return outcomeOf(asked, { code: error.status.code, body: error.status });
  }
}

/** Each try is an operation of its own; the caller goes on once one was answered. */
function retrying(sender, record) {
  return {
    server: sender.server,
    async perform(id, asked) {
      let operation = await sender.perform(id, asked);
      for (let count = 1; operation.outcome.kind === "unknown" && count <= retries; count++) {
        record(operation);
        sentAgain++;
        await sleep(retryMs);
        const again = `${id}-again-${count}`;
        const content = "content" in asked && { content: { ...asked.content, write: again } };
        operation = await sender.perform(again, { ...asked, ...content });
      }
      if (operation.outcome.kind === "unknown" || operation.outcome.kind === "refused") givenUp++;
      return operation;
    },
  };
}

const over = new AbortController();
const record = (operation) => operations.push(operation);
const writing = Array.from({ length: writers }, async (_, index) => {
  const client = `writer${index}`;
  const configMaps = configMapsOf();
  const sender = createSender(0, (asked) => answerTo(configMaps, asked, client));
  const random = createSeededRandom(client);
  await runWriter({ client, senders: [retrying(sender, record)], random, signal: over.signal, record });
});

const left = new AbortController();
const restarts = [];
const watching = Array.from({ length: watchers }, async (_, index) => {
  const configMaps = configMapsOf();
  const { resourceVersion } = await configMaps.list();
  const events = [];
  const watcher = `watcher${index}`;
  watches.push({ watcher, server: 0, from: Number(resourceVersion), events });
  const onError = (error) => restarts.push(`${watcher}: ${error.message}`);
  const stream = retryWatch({ listerWatcher: configMaps, resourceVersion, signal: left.signal, onError });
  for await (const event of stream) {
    if (event.type === "ERROR") throw event.error;
    events.push({ type: event.type, object: seenObject(event.object), at: now() });
  }
});

process.stdout.write("started\n");
process.stdin.resume();
await new Promise((resolve) => process.stdin.once("end", resolve));
over.abort();
await Promise.all(writing);
// The last write of all: a watcher that has it has everything.
const configMaps = configMapsOf();
const sender = retrying(
  createSender(0, (asked) => answerTo(configMaps, asked, "end")),
  record,
);
const last = await sender.perform("end", { verb: "apply", key: "end", content: { write: "end", parity: "even" } });
record(last);
const newest = last.outcome.object?.revision ?? 0;
const isBehind = ({ events }) => (events.at(-1)?.object.revision ?? 0) < newest;
for (let tries = 0; tries < 150 && watches.some(isBehind); tries++) await sleep(100);
const behind = watches.filter(isBehind).map(({ watcher }) => watcher);
left.abort();
await Promise.all(watching);
await Promise.all(clients.map((client) => client.close()));
const report = { history: { operations, watches }, sentAgain, givenUp, restarts, behind };
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
