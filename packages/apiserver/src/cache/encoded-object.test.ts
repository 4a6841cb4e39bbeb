import { findResource } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import { encodeJson } from "@coxswain/apimachinery/json";
import { decodeProtobufObject, encodeProtobufObject } from "@coxswain/apimachinery/protobuf";
import { describe, expect, it } from "vitest";
import { parseStored } from "./encoded-object.js";

const pod = (user: string) =>
  new TextEncoder().encode(
    `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"securityContext":{"runAsUser":${user}},"containers":null},"status":{}}`,
  );
const node = builtInTypes.get(findResource("", "v1", "pods")?.schema ?? "");
const runAsUser = (object: unknown) =>
  (object as { spec: { securityContext: { runAsUser: unknown } } }).spec.securityContext.runAsUser;

describe("stored objects", () => {
  for (const digits of ["9007199254740993", "9223372036854775807", "-9223372036854775808"]) {
    it(`keep ${digits} from the store to JSON and protobuf`, () => {
      const object = parseStored(pod(digits));
      expect(String(runAsUser(object))).toBe(digits);
      expect(new TextDecoder().decode(encodeJson(object, node))).toContain(`"runAsUser":${digits}`);
      expect(String(runAsUser(decodeProtobufObject(encodeProtobufObject(object, node), node)))).toBe(digits);
    });
  }

  it("have plain numbers otherwise", () => expect(runAsUser(parseStored(pod("1000")))).toBe(1000));
});
