import { builtInTypes } from "@coxswain/api/tables";
import { DecodeError, decodeJson, equalJson } from "@coxswain/apimachinery/json";
import {
  decodeProtobufObject,
  decodeWatchFrame,
  encodeProtobufObject,
  FrameReader,
} from "@coxswain/apimachinery/protobuf";
import { accepts, BrokenPromise, bytesOf, type FuzzTarget } from "../fuzz-target.js";
import { objectSeeds } from "./object-seeds.js";

/** Objects as protobuf: what is decoded is encoded and decoded to the same. */
export function protobufTarget(): FuzzTarget {
  const pod = builtInTypes.get("io.k8s.api.core.v1.Pod");
  return {
    name: "protobuf",
    seeds: [objectSeeds[0]!, objectSeeds[2]!].map((bytes) => encodeProtobufObject(decodeJson(bytes, pod).object, pod)),
    words: [
      "k8s\0",
      "\x0a\x02v1",
      "\x12\x03Pod",
      "\xff\xff\xff\xff\x0f",
      "\x0b\x0c",
      "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    ].map(bytesOf),
    run: (input) =>
      accepts(() => {
        const object = decodeProtobufObject(input, pod);
        const again = decodeProtobufObject(encodeProtobufObject(object, pod), pod);
        if (!equalJson(again, object)) throw new BrokenPromise("decoding, encoding and decoding changes the object");
      }, DecodeError),
  };
}

/** A stream of watch events as protobuf, cut anywhere. */
export function watchFrameTarget(): FuzzTarget {
  return {
    name: "watch-frames",
    seeds: [Buffer.from("0000000c0a0541444445441203120161", "hex")],
    run: (input) =>
      accepts(() => {
        const cut = (input[0] ?? 0) % (input.length + 1);
        const reader = new FrameReader();
        for (const part of [input.subarray(0, cut), input.subarray(cut)])
          for (const frame of reader.push(part)) decodeWatchFrame(frame);
      }, DecodeError),
  };
}
