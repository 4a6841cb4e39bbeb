import type { Tone } from "./tone.js";

/** What a graph is made of, before it has places. */
export interface GraphNode {
  readonly id: string;
  /** Above the title: the kind. */
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly tone: Tone;
  /** What was asked about. */
  readonly isSelf: boolean;
  /** Where it leads; "": nowhere. */
  readonly hash: string;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** Not sure, or no owner. */
  readonly isDashed: boolean;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** What is not shown, and why; "": all is. */
  readonly note: string;
}

/** A graph with places, from left to right, in CSS pixels. */
export interface GraphPicture {
  readonly nodes: readonly (GraphNode & { readonly x: number; readonly y: number })[];
  readonly edges: readonly (GraphEdge & { readonly points: readonly (readonly [x: number, y: number])[] })[];
  readonly width: number;
  readonly height: number;
  readonly note: string;
}

/** Of every node; the style sheet has the same numbers. */
export const nodeSize = { width: 220, height: 58 } as const;
