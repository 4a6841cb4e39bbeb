export { SortedMap, type KeyRange, type Leaf, type LeafStretch, type SortedMapEditor } from "./sorted-map.js";
export { compareKeys } from "./key-order.js";
