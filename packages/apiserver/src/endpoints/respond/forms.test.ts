import { gunzipSync } from "node:zlib";
import { builtInTypes } from "@coxswain/api/tables";
import {
  decodeProtobufObject,
  decodeWatchFrame,
  encodeProtobufObject,
  FrameReader,
  readEnvelope,
} from "@coxswain/apimachinery/protobuf";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createByteRequester } from "../../server/in-process/byte-requester.js";
import { createStandingClock } from "../../server/requests/standing-clock.test.support.js";

const json = "application/json";
const yaml = "application/yaml";
const protobuf = "application/vnd.kubernetes.protobuf";
const partial = (media: string, list: boolean, version = "v1"): string =>
  `${media};as=PartialObjectMetadata${list ? "List" : ""};v=${version};g=meta.k8s.io`;
const maps = "/api/v1/namespaces/default/configmaps";
const typeOf = (kind: string): string =>
  kind.startsWith("Partial") || kind === "Status"
    ? `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`
    : `io.k8s.api.core.v1.${kind}`;

describe("the forms of an answer are equivalent", () => {
  let server: ApiServer;
  let send: ReturnType<typeof createByteRequester>;

  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime({ clock: createStandingClock() }),
      store: createMemoryStore({ runtime: systemRuntime() }),
    }); // ages in tables do not grow
    send = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
    for (let at = 0; at < 300; at++) {
      const object = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `m-${String(at).padStart(3, "0")}`, labels: { half: String(at % 2) } },
        data: { k: `<${"x".repeat(1000)}${at}>` },
      };
      await get("POST", maps, {}, Buffer.from(JSON.stringify(object)));
    }
  });
  afterAll(() => server.stop());

  async function get(method: string, path: string, headers: Record<string, string>, body?: Uint8Array) {
    const answer = await send({
      method,
      path,
      headers,
      ...(body ? { body } : {}),
      signal: new AbortController().signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return { ...answer, bytes: Buffer.concat(chunks) };
  }
  const read = async (path: string, accept: string, more: Record<string, string> = {}) =>
    get("GET", path, { accept, ...more });
  it("JSON for people has its members in the same order", async () => {
    const plain = (await read(`${maps}/m-000`, json)).bytes.toString();
    const pretty = (await read(`${maps}/m-000?pretty=1`, json)).bytes.toString();
    expect(pretty).toMatch(/^\{\n {2}"kind": "ConfigMap",\n {2}"apiVersion": "v1",\n/);
    expect(pretty.replace(/\n */g, "").replaceAll('": ', '":')).toBe(plain.trimEnd());
  });

  const fromProtobuf = (bytes: Uint8Array, list = ""): unknown =>
    decodeProtobufObject(bytes, builtInTypes.get(list || typeOf(readEnvelope(bytes).kind)));

  /** JSON lists leave out kind and version of their items; protobuf has no place for them. */
  const cases = [
    { name: "an object", path: `${maps}/m-001` },
    { name: "a long list", path: maps },
    { name: "a selected list", path: `${maps}?labelSelector=half%3D1` },
    { name: "a page", path: `${maps}?limit=2` },
    { name: "an empty list", path: "/api/v1/namespaces/none/configmaps" },
    { name: "a failure", path: `${maps}/none` },
  ];
  for (const { name, path } of cases) {
    it(`${name} in protobuf, twice`, async () => {
      const expected = JSON.parse((await read(path, json)).bytes.toString()) as unknown;
      for (let round = 0; round < 2; round++) {
        const { bytes, headers } = await read(path, protobuf);
        expect(headers["content-type"]).toBe(protobuf);
        // Protobuf does not distinguish an empty list from none.
        expect(fromProtobuf(bytes)).toEqual(
          name === "an empty list" ? { ...(expected as object), items: null } : expected,
        );
        const again = encodeProtobufObject(fromProtobuf(bytes), builtInTypes.get(typeOf(readEnvelope(bytes).kind)));
        expect(Buffer.compare(again, bytes), "byte for byte as one message").toBe(0);
      }
    });
    it(`${name} in YAML`, async () => {
      const expected = JSON.parse((await read(path, json)).bytes.toString()) as unknown;
      const { bytes, headers } = await read(path, yaml);
      expect(headers["content-type"]).toBe(yaml);
      expect(parseYaml(bytes).value).toEqual(expected);
    });
    for (const accept of [
      json,
      protobuf,
      `${json};as=Table;v=v1;g=meta.k8s.io`,
      partial(json, !path.includes("m-001")),
      partial(protobuf, !path.includes("m-001")),
    ]) {
      it(`${name} as ${accept}, zipped or not, twice`, async () => {
        const plain = await read(path, accept);
        expect(plain.headers["content-encoding"]).toBeUndefined();
        for (let round = 0; round < 2; round++) {
          const zipped = await read(path, accept, { "accept-encoding": "br, gzip" });
          const long = zipped.headers["content-encoding"] === "gzip";
          if (long) expect(zipped.headers["vary"]).toBe("Accept-Encoding");
          if (accept === json) expect(long).toBe(plain.bytes.length > 128 * 1024);
          expect(Buffer.compare(long ? gunzipSync(zipped.bytes) : zipped.bytes, plain.bytes)).toBe(0);
        }
      });
    }
  }

  for (const version of ["v1", "v1beta1"]) {
    it(`metadata in protobuf, ${version}`, async () => {
      const asJson = JSON.parse((await read(`${maps}?limit=2`, partial(json, true, version))).bytes.toString()) as {
        items: object[];
      };
      const { bytes } = await read(`${maps}?limit=2`, partial(protobuf, true, version));
      const list = fromProtobuf(bytes, `io.k8s.apimachinery.pkg.apis.meta.${version}.PartialObjectMetadataList`) as {
        items: object[];
        metadata: { remainingItemCount: number };
      };
      expect(list.metadata.remainingItemCount).toBe(298);
      expect(list.items).toEqual(asJson.items.map((item) => ({ metadata: (item as { metadata: object }).metadata })));
    });
  }

  it("an object is created from protobuf and from YAML", async () => {
    const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "from-protobuf" }, data: { k: "v" } };
    const created = await get(
      "POST",
      maps,
      { "content-type": protobuf, accept: protobuf },
      encodeProtobufObject(object, builtInTypes.get(typeOf("ConfigMap"))),
    );
    expect(created.status).toBe(201);
    expect(fromProtobuf(created.bytes)).toMatchObject({
      ...object,
      metadata: { name: "from-protobuf", namespace: "default" },
    });
    const fromYaml = await get(
      "PUT",
      `${maps}/from-protobuf?fieldValidation=Strict`,
      { "content-type": yaml },
      Buffer.from("metadata:\n  name: from-protobuf\ndata:\n  k: 'yes'\n"),
    );
    expect(JSON.parse(fromYaml.bytes.toString())).toMatchObject({ data: { k: "yes" } });
    const twice = await get(
      "PUT",
      `${maps}/from-protobuf?fieldValidation=Strict`,
      { "content-type": yaml },
      Buffer.from("metadata:\n  name: from-protobuf\ndata:\n  k: a\n  k: b\n"),
    );
    expect(JSON.parse(twice.bytes.toString())).toMatchObject({
      code: 400,
      message: expect.stringContaining('key "k" already set in map') as string,
    });
  });

  it("a watch in protobuf is framed, and shares its frames", async () => {
    const { bytes, headers } = await read(
      `${maps}?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      `${protobuf};stream=watch`,
    );
    expect(headers["content-type"]).toBe(`${protobuf};stream=watch`);
    const events = new FrameReader().push(bytes).map(decodeWatchFrame);
    expect(events.length).toBe(302);
    expect(fromProtobuf(events[0]!.object)).toMatchObject({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "from-protobuf" },
    });
    expect(events.at(-1)!.type).toBe("BOOKMARK");
    expect(fromProtobuf(events.at(-1)!.object)).toMatchObject({
      metadata: { annotations: { "k8s.io/initial-events-end": "true" } },
    });
  });
});
