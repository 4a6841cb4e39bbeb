"use strict";
// In the bundle, in place of lmdb's usual encoding of values: every table of ours names another one.
exports.Encoder = function Encoder() {
  throw new Error("the bundle has no msgpack: name the encoding of the table");
};
